/** The keys of a tenant: what each may do and where, how one is issued, and how it is replaced. */
import { Type } from '@sinclair/typebox';
import { KeyPrefix, NextCursor, Nullable, ScopeId, TenantId, Timestamp } from './common.ts';

export const permissions = ['ingest', 'read', 'delete', 'decide'] as const;
export type Permission = (typeof permissions)[number];

const Permission = Type.Union(
  permissions.map((permission) => Type.Literal(permission)),
  { title: 'Permission', examples: ['ingest'] },
);
const Permissions = Type.Array(Permission, {
  title: 'Permissions',
  minItems: 1,
  maxItems: permissions.length,
  uniqueItems: true,
  description: 'What the key may do: post and report, read, delete, or decide contradictions',
  examples: [['ingest', 'read']],
});

/** What a key is limited to is remembered whole wherever it is used. */
const ScopeIds = Type.Array(ScopeId, {
  title: 'ScopeIds',
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The scopes that the key is limited to, whether they exist yet or not',
  examples: [['contracts-2026']],
});

export const TenantKeyPath = Type.Object({ tenantId: TenantId, prefix: KeyPrefix });

const Label = Type.String({ minLength: 1, maxLength: 200, examples: ['billing importer'] });

export const IssueKeyRequest = Type.Object(
  {
    label: Type.Optional(Label),
    expires_at: Type.Optional(Type.String({ ...Timestamp, description: 'Not set: it does not expire' })),
    permissions: Type.Optional(Permissions),
    scope_ids: Type.Optional(ScopeIds),
  },
  {
    title: 'IssueKeyRequest',
    additionalProperties: false,
    description: 'Without `permissions` it has all of them, and without `scope_ids` it reaches all scopes',
    examples: [{ label: 'billing importer', permissions: ['ingest'], scope_ids: ['contracts-2026'] }],
  },
);

/** A month: whoever needs longer has two keys, and not one that is being replaced. */
const MAX_GRACE_S = 30 * 86_400;

export const RotateKeyRequest = Type.Object(
  {
    grace_s: Type.Integer({
      minimum: 0,
      maximum: MAX_GRACE_S,
      default: 86_400,
      description: 'Seconds for which the old key goes on working, if it does not expire before',
      examples: [86_400],
    }),
  },
  { title: 'RotateKeyRequest', additionalProperties: false, examples: [{ grace_s: 86_400 }] },
);

const keyFields = {
  key_prefix: KeyPrefix,
  label: Nullable(Label),
  permissions: Permissions,
  scope_ids: Nullable(ScopeIds),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  replaced_by: Nullable(KeyPrefix),
};

export const Key = Type.Object(keyFields, { title: 'Key' });
export const KeyList = Type.Object({ keys: Type.Array(Key), next_cursor: NextCursor }, { title: 'KeyList' });
export const IssuedKey = Type.Object(
  { ...keyFields, api_key: Type.String({ description: 'Shown only here' }), message: Type.String() },
  { title: 'IssuedKey' },
);
