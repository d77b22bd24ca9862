/** Tokens with which a page follows events: made with a key, sent in an address. */
import { Type } from '@sinclair/typebox';
import { Nullable, ScopeId, Timestamp } from './common.ts';
import { StreamQuery } from './events.ts';

/** None is good for longer, whoever has signed it. */
export const MAX_TTL_S = 3600;

export const StreamTokenRequest = Type.Object(
  {
    scope_id: Type.Optional(ScopeId),
    ttl_s: Type.Integer({
      minimum: 60,
      maximum: MAX_TTL_S,
      default: 900,
      description: 'How long it is good for',
      examples: [900],
    }),
  },
  { title: 'StreamTokenRequest', additionalProperties: false },
);

export const StreamToken = Type.Object(
  {
    token: Type.String({ description: 'For `?token=` on the two streams of tenants, and for nothing else' }),
    expires_at: Timestamp,
    scope_id: Nullable(ScopeId),
  },
  { title: 'StreamToken' },
);

/** Of the streams of tenants. */
export const TenantStreamQuery = Type.Object(
  {
    ...StreamQuery.properties,
    token: Type.Optional(
      Type.String({ description: 'Of `POST /api/stream-tokens`, for pages: in place of the key, never beside it' }),
    ),
  },
  { additionalProperties: false },
);
