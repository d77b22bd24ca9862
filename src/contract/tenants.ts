/** Tenants, and the limits of each. */
import { Type } from '@sinclair/typebox';
import { KeyPrefix, NextCursor, Nullable, TenantId, Timestamp } from './common.ts';
import { RuntimeState } from './runtime.ts';

const TenantName = Type.String({ minLength: 1, examples: ['Acme'] });

export const CreateTenantRequest = Type.Object(
  { name: TenantName },
  { title: 'CreateTenantRequest', additionalProperties: false, examples: [{ name: 'Acme' }] },
);

export const CreateTenantResponse = Type.Object(
  {
    tenant_id: TenantId,
    api_key: Type.String({ description: 'The first key of the tenant, shown only here' }),
    key_prefix: KeyPrefix,
    message: Type.String({ examples: ['Keep the key: it is not shown again.'] }),
  },
  { title: 'CreateTenantResponse' },
);

const limit = (description: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description, examples: [100] });
const Limits = {
  rate_per_s: limit('Documents a second', 1_000_000),
  burst: limit('Documents at once after a pause', 10_000_000),
  backlog: limit('Documents that may wait to be processed', 1_000_000_000),
  bytes_per_s: limit('Bytes of documents and reports a second', 1_000_000_000),
  reads_per_s: limit(
    'Requests a second, with its key, that read or delete; an answer counts once for each 64 KB',
    1_000_000,
  ),
  reports_per_s: limit('Reports of contradictions a second', 1_000_000),
  scopes: limit('Scopes that it may have', 100_000_000),
};

export const UpdateTenantRequest = Type.Object(
  {
    name: Type.Optional(TenantName),
    limits: Type.Optional(
      Type.Object(
        {
          rate_per_s: Type.Optional(Nullable(Limits.rate_per_s)),
          burst: Type.Optional(Nullable(Limits.burst)),
          backlog: Type.Optional(Nullable(Limits.backlog)),
          bytes_per_s: Type.Optional(Nullable(Limits.bytes_per_s)),
          reads_per_s: Type.Optional(Nullable(Limits.reads_per_s)),
          reports_per_s: Type.Optional(Nullable(Limits.reports_per_s)),
          scopes: Type.Optional(Nullable(Limits.scopes)),
        },
        { additionalProperties: false, description: 'What is not given stays; null goes back to the configured limit' },
      ),
    ),
  },
  {
    title: 'UpdateTenantRequest',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ name: 'Acme Limited', limits: { rate_per_s: 500 } }],
  },
);

export const Tenant = Type.Object(
  {
    tenant_id: TenantId,
    name: TenantName,
    limits: Type.Object(
      {
        rate_per_s: Type.Optional(Limits.rate_per_s),
        burst: Type.Optional(Limits.burst),
        backlog: Type.Optional(Limits.backlog),
        bytes_per_s: Type.Optional(Limits.bytes_per_s),
        reads_per_s: Type.Optional(Limits.reads_per_s),
        reports_per_s: Type.Optional(Limits.reports_per_s),
        scopes: Type.Optional(Limits.scopes),
      },
      { description: 'Those of its own; the configured ones hold for the rest' },
    ),
    state: RuntimeState,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Tenant' },
);

export const TenantList = Type.Object(
  { tenants: Type.Array(Tenant), next_cursor: NextCursor },
  { title: 'TenantList' },
);

export const TenantPath = Type.Object({ tenantId: TenantId });
