/** Tokens with which a page follows events: issued to a key, and never good for more than it. */
import type { Queryable } from '../storage/database.ts';
import { type Access, mayReach } from './access.ts';
import { requireScope } from './scopes.ts';
import { signToken } from './stream-token-format.ts';

export interface TokenWishes {
  /** Null for all scopes that the key may read. */
  scopeId: string | null;
  ttlS: number;
}

/** For a key that was checked. 404 for a scope that there is not: a page would wait in it for nothing. */
export async function issueStreamToken(db: Queryable, tenantId: string, key: string, { scopeId, ttlS }: TokenWishes) {
  if (scopeId !== null) await requireScope(db, tenantId, scopeId);
  const { token, expiresAt } = signToken(key, scopeId, Date.now() + ttlS * 1000);
  return { token, expires_at: expiresAt.toISOString(), scope_id: scopeId };
}

/** What a token is good for: to read, if its key may, and where its key may. */
export function accessOfToken(ofKey: Access, scopeId: string | null): Access {
  const some = scopeId === null ? ofKey.scopeIds : new Set(mayReach(ofKey, scopeId) ? [scopeId] : []);
  const permissions = new Set([...ofKey.permissions].filter((permission) => permission === 'read'));
  return { keyPrefix: ofKey.keyPrefix, permissions, scopeIds: some };
}
