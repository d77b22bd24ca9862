/** Tenants: created with a first key, listed, renamed, deleted. */
import { notFound } from '../errors.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/tenants.ts';
import { newTenantId } from './ids.ts';
import { issueKey } from './keys.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

const missing = (tenantId: string) => notFound(`Tenant ${tenantId}`);

export function createTenant(db: Database, name: string) {
  return db.transaction(async (tx) => {
    const tenant = await storage.insertTenant(tx, newTenantId(), name);
    const { key, record } = await issueKey(tx, 'tenant', { tenantId: tenant.tenant_id, label: 'first key' });
    return { tenant, key, record };
  });
}

export async function getTenant(db: Queryable, tenantId: string) {
  const tenant = await storage.findTenant(db, tenantId);
  if (!tenant) throw missing(tenantId);
  return tenant;
}

export async function listTenants(db: Queryable, { cursor, limit }: Page) {
  const after = decodeCursor(cursor, /^\d{1,18}$/, '0');
  return toPage(await storage.listTenants(db, after, limit + 1), limit, (tenant) => tenant.ordinal);
}

export async function renameTenant(db: Queryable, tenantId: string, name: string) {
  const tenant = await storage.updateTenantName(db, tenantId, name);
  if (!tenant) throw missing(tenantId);
  return tenant;
}

export async function deleteTenant(db: Queryable, tenantId: string): Promise<void> {
  if (!(await storage.deleteTenant(db, tenantId))) throw missing(tenantId);
}
