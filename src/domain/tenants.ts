/** Tenants: created with a first key, listed, renamed, deleted. */
import { notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/tenants.ts';
import { short } from './actor.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { newTenantId } from './ids.ts';
import { insertNewKey, issuedKey, keyEvent } from './keys.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

const missing = (tenantId: string) => notFound(`Tenant ${tenantId}`);

export function createTenant(db: Database, name: string, deed: Deed) {
  return db.transaction(async (tx) => {
    const tenant = await storage.insertTenant(tx, newTenantId(), name);
    const { key, record } = await insertNewKey(tx, 'tenant', { tenantId: tenant.tenant_id, label: 'first key' });
    const { tenant_id } = tenant;
    const created = { action: 'tenant.created' as const, tenant_id, after: { name: short(name) } };
    await noteDeeds(tx, deed, created, issuedKey(record));
    await appendEvents(tx, [
      { type: 'tenant.created', tenant_id, scope_id: null, payload: { name } },
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

export function changeTenant(
  db: Database,
  tenantId: string,
  change: Parameters<typeof storage.updateTenant>[2],
  deed: Deed,
) {
  return db.transaction(async (tx) => {
    const was = await storage.findTenantForUpdate(tx, tenantId);
    const is = was && (await storage.updateTenant(tx, tenantId, change));
    if (!is) throw missing(tenantId);
    const [before, after] = differences(was, is);
    if (Object.keys(after).length > 0)
      await noteDeeds(tx, deed, { action: 'tenant.changed', tenant_id: tenantId, before, after });
    return is;
  });
}

/** What of its name and its limits is not as it was; a limit that is not of its own is null. */
function differences(was: storage.TenantRow, is: storage.TenantRow): [before: object, after: object] {
  const named = was.name === is.name ? [] : [was, is].map(({ name }) => ({ name: short(name) }));
  const names = new Set([...Object.keys(was.limits), ...Object.keys(is.limits)] as (keyof storage.TenantLimits)[]);
  const changed = [...names].filter((name) => was.limits[name] !== is.limits[name]);
  const limitsOf = ({ limits }: storage.TenantRow) =>
    changed.length > 0 && { limits: Object.fromEntries(changed.map((name) => [name, limits[name] ?? null])) };
  return [
    { ...named[0], ...limitsOf(was) },
    { ...named[1], ...limitsOf(is) },
  ];
}

/**
 * Its keys, scopes and documents are out of sight at once, and who writes for it is undone; the rows are purged afterwards. That
 * it happens under the lock of the event log puts it before or after every other change.
 */
export async function deleteTenant(db: Database, tenantId: string, deed: Deed): Promise<void> {
  await db.transaction(async (tx) => {
    const was = await storage.updateTenantDeleted(tx, tenantId);
    if (!was) throw missing(tenantId);
    const before = { name: short(was.name) };
    await noteDeeds(tx, deed, { action: 'tenant.deleted', tenant_id: tenantId, before });
    await appendEvents(tx, [{ type: 'tenant.deleted', tenant_id: tenantId, scope_id: null, payload: {} }]);
  });
}
