/** The keys of one tenant, as operators manage them. Rotation: issue a second, revoke the first. */
import { invalid, notFound } from '../errors.ts';
import * as storage from '../storage/api-keys.ts';
import { type Database, isForeignKeyViolation, type Queryable } from '../storage/database.ts';
import { issueKey, type KeyWishes, revokeKey } from './keys.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { getTenant } from './tenants.ts';

export async function issueTenantKey(db: Database, tenantId: string, wishes: Omit<KeyWishes, 'tenantId'>) {
  const expires = wishes.expiresAt ? new Date(wishes.expiresAt) : null;
  if (expires && !(expires.getTime() > Date.now())) throw invalid('body/expires_at', 'must be in the future');
  // Dates have years of four digits, in any time zone.
  if (expires && expires.getUTCFullYear() > 9999) throw invalid('body/expires_at', 'must be before the year 10000');
  await getTenant(db, tenantId);
  return issueKey(db, 'tenant', { ...wishes, ...(expires && { expiresAt: expires.toISOString() }), tenantId }).catch(
    (error) => {
      if (isForeignKeyViolation(error)) throw notFound(`Tenant ${tenantId}`);
      throw error;
    },
  );
}

export async function listTenantKeys(db: Queryable, tenantId: string, { cursor, limit }: Page) {
  await getTenant(db, tenantId);
  const after = decodeCursor(cursor, /^\d{1,18}$/, '0');
  return toPage(await storage.listTenantKeys(db, tenantId, after, limit + 1), limit, (key) => key.ordinal);
}

export async function revokeTenantKey(db: Database, tenantId: string, keyPrefix: string): Promise<void> {
  if (!(await revokeKey(db, tenantId, keyPrefix))) throw notFound(`Key ${keyPrefix} of tenant ${tenantId}`);
}
