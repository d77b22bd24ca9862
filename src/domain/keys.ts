/** Keys are issued once in clear and kept as hashes; those of operators. Checking a presented one is `keyring.ts`. */
import { type Permission, permissions } from '../contract/keys.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import * as storage from '../storage/api-keys.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { short } from './actor.ts';
import { type Deed, type Noted, noteDeeds } from './audit.ts';
import { mintKey } from './key-format.ts';

export interface KeyWishes {
  tenantId?: string;
  label?: string | undefined;
  expiresAt?: string | undefined;
  /** All of them unless told otherwise. */
  permissions?: Permission[] | undefined;
  /** All scopes unless told otherwise. */
  scopeIds?: string[] | undefined;
  /** For an operator who may look and change nothing. */
  readOnly?: boolean | undefined;
}

export function issueKey(db: Database, tier: storage.KeyTier, wishes: KeyWishes, deed: Deed) {
  return db.transaction(async (tx) => {
    const issued = await insertNewKey(tx, tier, wishes);
    await noteDeeds(tx, deed, issuedKey(issued.record));
    await appendEvents(tx, [keyEvent('key.issued', issued.record)]);
    return issued;
  });
}

/** For a transaction that goes on, and writes the event itself at its end. */
export async function insertNewKey(tx: Queryable, tier: storage.KeyTier, wishes: KeyWishes) {
  const { key, keyPrefix, sha256 } = mintKey(tier);
  const record = await storage.insertKey(tx, {
    key_prefix: keyPrefix,
    sha256,
    tier,
    read_only: wishes.readOnly ?? false,
    tenant_id: wishes.tenantId ?? null,
    label: wishes.label ?? null,
    expires_at: wishes.expiresAt ?? null,
    permissions: wishes.permissions && wishes.permissions.length < permissions.length ? wishes.permissions : null,
    scope_ids: wishes.scopeIds ?? null,
  });
  return { key, record };
}

export function keyEvent(
  type: 'key.issued' | 'key.revoked',
  { key_prefix, tier, tenant_id }: Pick<storage.KeyRow, 'key_prefix' | 'tier' | 'tenant_id'>,
): NewEvent {
  return { type, tenant_id, scope_id: null, payload: { key_prefix, tier } };
}

/** Of many scopes the first: a row stays small. */
const SCOPES_NOTED = 10;

export function issuedKey(record: storage.KeyRow): Noted {
  const { key_prefix: subject, tenant_id, tier, read_only, label, permissions: some, scope_ids, expires_at } = record;
  const access = {
    ...(read_only && { read_only }),
    ...(some && { permissions: some }),
    ...(scope_ids && { scope_ids: scope_ids.slice(0, SCOPES_NOTED), scopes: scope_ids.length }),
  };
  const after = { tier, label: label && short(label), expires_at, ...access };
  return { action: 'key.issued', tenant_id, subject, after };
}

export function listOperatorKeys(db: Queryable) {
  return storage.listOperatorKeys(db);
}

/** Of a tenant, or of an operator when there is none. False when there is no such key. */
export function revokeKey(db: Database, tenantId: string | null, keyPrefix: string, deed: Deed): Promise<boolean> {
  return db.transaction(async (tx) => {
    const revoked = await storage.updateKeyRevoked(tx, tenantId, keyPrefix);
    if (revoked?.changed) {
      const { label, tier, revoked_at } = revoked;
      const [before, after] = [{ tier, label: label && short(label), revoked_at: null }, { revoked_at }];
      await noteDeeds(tx, deed, { action: 'key.revoked', tenant_id: tenantId, subject: keyPrefix, before, after });
      await appendEvents(tx, [keyEvent('key.revoked', revoked)]);
    }
    return revoked !== null;
  });
}
