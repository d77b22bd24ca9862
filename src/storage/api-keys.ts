/** The api_keys table: the keys of all three tiers, as hashes. */
import type { Permission } from '../contract/keys.ts';
import type { Queryable } from './database.ts';
import { ofLiveTenant } from './tenants.ts';

export type KeyTier = 'tenant' | 'admin' | 'internals';

export interface KeyRow {
  key_prefix: string;
  ordinal: string;
  tier: KeyTier;
  /** Of an operator who may look at everything and change nothing. */
  read_only: boolean;
  tenant_id: string | null;
  label: string | null;
  /** Null for all of them. */
  permissions: Permission[] | null;
  /** Null for all scopes. */
  scope_ids: string[] | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** The prefix of the key that was made in its place. */
  replaced_by: string | null;
}

export type NewKey = Pick<
  KeyRow,
  'key_prefix' | 'tier' | 'read_only' | 'tenant_id' | 'label' | 'permissions' | 'scope_ids' | 'expires_at'
> & { sha256: Buffer };

export type KeyProof = Pick<
  KeyRow,
  'key_prefix' | 'tier' | 'read_only' | 'tenant_id' | 'label' | 'permissions' | 'scope_ids'
> & {
  sha256: Buffer;
  /** Null for one that does not expire. */
  expires_in_s: number | null;
};

/** Lists as JSON, which is parsed natively: an array of Postgres pg reads character by character. */
const ACCESS = 'to_json(permissions) as permissions, to_json(scope_ids) as scope_ids';
/** Keys that only read have a tier of their own, which a release that does not know it admits to nothing. */
const TIER = `split_part(tier, '_', 1) as tier, tier like '%reader' as read_only`;
const COLUMNS = `key_prefix, ordinal, ${TIER}, tenant_id, label, ${ACCESS}, created_at, last_used_at, expires_at, revoked_at,
  replaced_by`;

export async function insertKey(db: Queryable, key: NewKey): Promise<KeyRow> {
  const { rows } = await db.query<KeyRow>(
    `insert into api_keys (key_prefix, sha256, tier, tenant_id, label, expires_at, permissions, scope_ids)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [
      ...[key.key_prefix, key.sha256, key.read_only ? `${key.tier}_reader` : key.tier, key.tenant_id, key.label],
      ...[key.expires_at, key.permissions, key.scope_ids],
    ],
  );
  return rows[0] as KeyRow;
}

/** Of operators, and of tenants that are not deleted. */
const LIVE = `(tenant_id is null or ${ofLiveTenant('api_keys')})`;

/** Neither revoked nor expired by now. */
const GOOD = 'revoked_at is null and (expires_at is null or expires_at > now())';
/** By the clock of the database: ours may be another. */
const PROOF = `key_prefix, sha256, ${TIER}, tenant_id, label, ${ACCESS},
  extract(epoch from expires_at - now())::float8 as expires_in_s`;

/** What to hold presented keys against, by their prefixes; nothing of those that are not good. */
export async function listKeyProofsAcrossTenants(db: Queryable, keyPrefixes: string[]): Promise<KeyProof[]> {
  const { rows } = await db.query<KeyProof>(
    `select ${PROOF} from api_keys where key_prefix = any ($1) and ${GOOD} and ${LIVE}`,
    [keyPrefixes],
  );
  return rows;
}

/** The same of operators: those that were used last, up to a number. */
export async function listOperatorKeyProofs(db: Queryable, most: number): Promise<KeyProof[]> {
  const { rows } = await db.query<KeyProof>(
    `select ${PROOF} from api_keys where tenant_id is null and ${GOOD} order by last_used_at desc nulls last limit $1`,
    [most],
  );
  return rows;
}

/** In order of creation, from after an ordinal on; the revoked ones too. */
export async function listTenantKeys(db: Queryable, tenantId: string, after: string, limit: number): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(
    `select ${COLUMNS} from api_keys where tenant_id = $1 and ordinal > $2 order by ordinal limit $3`,
    [tenantId, after, limit],
  );
  return rows;
}

export async function listOperatorKeys(db: Queryable): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(`select ${COLUMNS} from api_keys where tenant_id is null order by ordinal`);
  return rows;
}

export type RevokedKey = Pick<KeyRow, 'key_prefix' | 'tier' | 'read_only' | 'tenant_id' | 'label' | 'revoked_at'>;

/** Null when there is no such key. One that was revoked before keeps its first date, and nothing has changed. */
export async function updateKeyRevoked(
  db: Queryable,
  tenantId: string | null,
  keyPrefix: string,
): Promise<(RevokedKey & { changed: boolean }) | null> {
  const { rows } = await db.query<RevokedKey & { changed: boolean }>(
    `update api_keys set revoked_at = coalesce(revoked_at, now())
      where key_prefix = $2 and tenant_id is not distinct from $1 and ${LIVE}
      returning key_prefix, ${TIER}, tenant_id, label, revoked_at, revoked_at = now() as changed`,
    [tenantId, keyPrefix],
  );
  return rows[0] ?? null;
}

/** Locked to the end of the transaction, so that it is replaced once. */
export async function findKeyForUpdate(
  tx: Queryable,
  tenantId: string,
  keyPrefix: string,
): Promise<(KeyRow & { is_over: boolean }) | null> {
  const { rows } = await tx.query<KeyRow & { is_over: boolean }>(
    `select ${COLUMNS}, revoked_at is not null or coalesce(expires_at <= now(), false) as is_over
       from api_keys where tenant_id = $1 and key_prefix = $2 and ${LIVE} for no key update`,
    [tenantId, keyPrefix],
  );
  return rows[0] ?? null;
}

/** It works for so many seconds more, and never longer than it would have. Returns until when. */
export async function updateKeyReplaced(
  tx: Queryable,
  tenantId: string,
  keyPrefix: string,
  replacement: { keyPrefix: string; graceSeconds: number },
): Promise<string> {
  const { rows } = await tx.query<{ expires_at: string }>(
    `update api_keys set replaced_by = $3, expires_at = least(expires_at, now() + make_interval(secs => $4))
      where tenant_id = $1 and key_prefix = $2 returning expires_at`,
    [tenantId, keyPrefix, replacement.keyPrefix, replacement.graceSeconds],
  );
  return (rows[0] as { expires_at: string }).expires_at;
}

/** How many seconds ago each key was last used; the dates are the database's own. */
export async function updateKeysLastUsed(db: Queryable, secondsAgo: Map<string, number>): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = greatest(last_used_at, now() - make_interval(secs => used.seconds))
       from unnest($1::text[], $2::float8[]) as used (prefix, seconds)
      where key_prefix = used.prefix`,
    [[...secondsAgo.keys()], [...secondsAgo.values()]],
  );
}
