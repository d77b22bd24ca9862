/** Tenants: created with a first key, listed, renamed, deleted. */
import { notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/tenants.ts';
import { newTenantId } from './ids.ts';
import { insertNewKey, keyEvent } from './keys.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

const missing = (tenantId: string) => notFound(`Tenant ${tenantId}`);

export function createTenant(db: Database, name: string) {
  return db.transaction(async (tx) => {
    const tenant = await storage.insertTenant(tx, newTenantId(), name);
    const { key, record } = await insertNewKey(tx, 'tenant', { tenantId: tenant.tenant_id, label: 'first key' });
    await appendEvents(tx, [
      { type: 'tenant.created', tenant_id: tenant.tenant_id, scope_id: null, payload: { name } },
      keyEvent('key.issued', record),
    ]);
    return { tenant, key, record };
  });
}

export async function getTenant(db: Queryable, tenantId: string) {
  const tenant = await storage.findTenant(db, tenantId);
  if (!tenant) throw missing(tenantId);
  return tenant;
}

export async function listTenants(db: Queryable, { cursor, limit }: Page) {
  const after = decodeCursor('tenants', cursor, /^\d{1,18}$/, '0');
  return toPage('tenants', await storage.listTenants(db, after, limit + 1), limit, (tenant) => tenant.ordinal);
}

export async function changeTenant(
  db: Queryable,
  tenantId: string,
  change: Parameters<typeof storage.updateTenant>[2],
) {
  const tenant = await storage.updateTenant(db, tenantId, change);
  if (!tenant) throw missing(tenantId);
  return tenant;
}

/**
 * Its keys, scopes and documents are out of sight at once, and who writes for it is undone; the rows are purged afterwards. That
 * it happens under the lock of the event log puts it before or after every other change.
 */
export async function deleteTenant(db: Database, tenantId: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await storage.updateTenantDeleted(tx, tenantId))) throw missing(tenantId);
    await appendEvents(tx, [{ type: 'tenant.deleted', tenant_id: tenantId, scope_id: null, payload: {} }]);
  });
}
