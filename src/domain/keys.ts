/** Keys are issued once in clear and kept as hashes; those of operators. Checking a presented one is `keyring.ts`. */
import { type Permission, permissions } from '../contract/keys.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import * as storage from '../storage/api-keys.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { mintKey } from './key-format.ts';

export interface KeyWishes {
  tenantId?: string;
  label?: string | undefined;
  expiresAt?: string | undefined;
  /** All of them unless told otherwise. */
  permissions?: Permission[] | undefined;
  /** All scopes unless told otherwise. */
  scopeIds?: string[] | undefined;
}

export function issueKey(db: Database, tier: storage.KeyTier, wishes: KeyWishes = {}) {
  return db.transaction(async (tx) => {
    const issued = await insertNewKey(tx, tier, wishes);
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

export function listOperatorKeys(db: Queryable) {
  return storage.listOperatorKeys(db);
}

/** Of a tenant, or of an operator when there is none. False when there is no such key. */
export function revokeKey(db: Database, tenantId: string | null, keyPrefix: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const revoked = await storage.updateKeyRevoked(tx, tenantId, keyPrefix);
    if (revoked?.changed) await appendEvents(tx, [keyEvent('key.revoked', revoked)]);
    return revoked !== null;
  });
}
