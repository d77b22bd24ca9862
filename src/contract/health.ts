/** Health answers of the three tiers. */
import { Type } from '@sinclair/typebox';
import { Nullable } from './common.ts';

export const HealthResponse = Type.Object(
  {
    status: Type.String({
      description: '`ok`, or `unavailable` with 503 when nothing can be accepted',
      examples: ['ok'],
    }),
    version: Type.String({ examples: ['0.1.0'] }),
    detail: Type.Optional(Type.String({ description: 'Why it is `unavailable`' })),
  },
  { title: 'HealthResponse', examples: [{ status: 'ok', version: '0.1.0' }] },
);

export const UnavailableResponse = {
  ...HealthResponse,
  examples: [{ status: 'unavailable', version: '0.1.0', detail: 'The database does not answer right now.' }],
};

export const NotReadyResponse = {
  ...HealthResponse,
  examples: [{ status: 'unavailable', version: '0.1.0', detail: 'The service is stopping.' }],
};

export const TierHealthResponse = Type.Object(
  {
    status: Type.String({ examples: ['ok'] }),
    tier: Type.String({ examples: ['admin'] }),
    authTier: Type.Optional(
      Nullable(Type.String({ description: 'The tier of the key that was presented', examples: ['admin'] })),
    ),
    read_only: Type.Optional(Type.Boolean({ description: 'Whether that key only reads', examples: [false] })),
  },
  { title: 'TierHealthResponse' },
);
