/** The names of tenants, which most routes know by their ids only. */
import { get, part } from './api.js';
import { Store } from './store.js';

/** So many are read at once and offered in lists; others are looked up when they are met. */
const MAX_LISTED = 1000;
const MAX_KNOWN = 5000;
const EVERY_MS = 60_000;

export const tenants = new Store({ list: [], isAll: true });
const known = new Map();
const asked = new Set();

export async function readTenants(signal) {
  const list = [];
  let cursor;
  do {
    const page = await get('/admin/tenants', { limit: 200, cursor }, { signal });
    list.push(...page.tenants);
    cursor = page.next_cursor;
  } while (cursor && list.length < MAX_LISTED);
  for (const tenant of list) remember(tenant);
  list.sort((a, b) => a.name.localeCompare(b.name));
  tenants.set({ list, isAll: !cursor });
}

export { EVERY_MS as TENANTS_EVERY_MS };

function remember({ tenant_id, name }) {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(tenant_id, name);
}

/** The name, or the id until it is known. */
export function nameOf(tenantId) {
  if (!known.has(tenantId)) lookUp(tenantId);
  return known.get(tenantId) ?? tenantId;
}

async function lookUp(tenantId) {
  if (asked.has(tenantId) || asked.size >= MAX_KNOWN) return;
  asked.add(tenantId);
  const tenant = await get(`/admin/tenants/${part(tenantId)}`).catch(() => null);
  if (!tenant) return;
  remember(tenant);
  tenants.set(tenants.value);
}
