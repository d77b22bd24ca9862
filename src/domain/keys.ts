/** Keys are issued once in clear and kept as hashes; those of operators. Checking a presented one is `keyring.ts`. */
import * as storage from '../storage/api-keys.ts';
import type { Queryable } from '../storage/database.ts';
import { mintKey } from './key-format.ts';

export interface KeyWishes {
  tenantId?: string;
  label?: string | undefined;
  expiresAt?: string | undefined;
}

export async function issueKey(db: Queryable, tier: storage.KeyTier, wishes: KeyWishes = {}) {
  const { key, keyPrefix, sha256 } = mintKey(tier);
  const record = await storage.insertKey(db, {
    key_prefix: keyPrefix,
    sha256,
    tier,
    tenant_id: wishes.tenantId ?? null,
    label: wishes.label ?? null,
    expires_at: wishes.expiresAt ?? null,
  });
  return { key, record };
}

export function listOperatorKeys(db: Queryable) {
  return storage.listOperatorKeys(db);
}

export function revokeOperatorKey(db: Queryable, keyPrefix: string): Promise<boolean> {
  return storage.updateKeyRevoked(db, null, keyPrefix);
}
