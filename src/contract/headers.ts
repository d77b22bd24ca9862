/** Headers of answers, as the contract describes them. */
import { Type } from '@sinclair/typebox';

export const answerHeaders = {
  Location: Type.String({
    description: 'Where to read what was made, with the key of its tenant or, of a tenant, of an operator',
    examples: ['/api/documents/lease-12?scope_id=contracts-2026'],
  }),
  ETag: Type.String({ description: 'To be sent back as If-None-Match', examples: ['"1-9f86d081"'] }),
  'Idempotency-Replayed': Type.String({
    description: '`true` when the idempotency key was used before, and this is the first answer again',
    examples: ['true'],
  }),
  'Retry-After': Type.String({ description: 'In so many seconds it is worth trying again', examples: ['1'] }),
  RateLimit: Type.String({
    description:
      'The limit that was overrun, what is left of it, and in how many seconds there is more: a field of ' +
      'draft-ietf-httpapi-ratelimit-headers',
    examples: ['"rate_per_s";r=0;t=1'],
  }),
  'RateLimit-Policy': Type.String({
    description: 'How much that limit allows (`q`), in so many seconds (`w`) if it is about time; of bytes with `qu`',
    examples: ['"rate_per_s";q=2000;w=1'],
  }),
  'WWW-Authenticate': Type.String({ description: 'How to send a key', examples: ['Bearer realm="docket"'] }),
};
export type AnswerHeader = keyof typeof answerHeaders;
