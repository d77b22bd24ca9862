/** Pieces that several resources share. */
import { type TSchema, Type } from '@sinclair/typebox';

export const ScopeId = Type.String({
  title: 'ScopeId',
  minLength: 1,
  maxLength: 120,
  pattern: '^[a-z0-9][a-z0-9-]*$',
  examples: ['contracts-2026'],
});

export const TenantId = Type.String({
  title: 'TenantId',
  minLength: 1,
  maxLength: 100,
  examples: ['ten_7k2m9qv0x4c8b1n5d3f6g7h8j9'],
});
export const KeyPrefix = Type.String({ title: 'KeyPrefix', minLength: 1, maxLength: 100, examples: ['dk_4fZ81kQx'] });
export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  examples: ['2026-11-15T09:30:00.000Z'],
});

export const TextSpan = Type.Object(
  { start: Type.Integer({ minimum: 0, examples: [0] }), end: Type.Integer({ minimum: 0, examples: [50] }) },
  { title: 'TextSpan', description: 'Where the text that was sent says it, in UTF-16 units' },
);

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'next_cursor of the page before' })),
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'A page may have fewer: only next_cursor tells whether it is the last one',
    }),
  },
  { additionalProperties: false },
);

export const Wait = Type.Integer({
  minimum: 0,
  maximum: 60,
  default: 0,
  description: 'So many seconds the answer may wait for what is not done yet; it is 200 all the same',
});

export const NextCursor = Nullable(Type.String({ description: 'Where the next page goes on; null on the last one' }));

export const TenantIdHeader = Type.Object({
  'X-Tenant-ID': Type.String({ description: 'The tenant that posts', examples: ['ten_7k2m9qv0x4c8b1n5d3f6g7h8j9'] }),
  'X-Tenant-API-Key': Type.Optional(
    Type.String({ description: 'Its key: compulsory with REQUIRE_TENANT_KEY=true, checked whenever it is sent' }),
  ),
});

export const IdempotencyKeyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      // Without an example: sent beside that of a body, it would be refused as another one.
      description: 'The same as `idempotency_key` in the body, bare or as a quoted string; printable ASCII only',
    }),
  ),
};

export const TraceparentHeader = {
  traceparent: Type.Optional(
    Type.String({
      description:
        'W3C trace context: taken over into the log, into the events of the document, and to an extractor of your ' +
        'own. One that is not valid counts as none',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
  ),
};

export const ScopePath = Type.Object({ scopeId: ScopeId });

export const OptionalTenantKeyHeader = Type.Object({
  'X-Tenant-API-Key': Type.Optional(
    Type.String({
      description:
        'A key of the tenant to act for; left out, the body says which tenant is meant, or the whole runtime is',
    }),
  ),
});

export const TenantKeyHeader = Type.Object({
  'X-Tenant-API-Key': Type.String({ description: 'A key of the tenant to act for' }),
});

export const IfNoneMatchHeader = {
  'If-None-Match': Type.Optional(
    Type.String({ maxLength: 1000, description: 'ETags of what is known already', examples: ['"1-9f86d081"'] }),
  ),
};
