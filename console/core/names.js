/** The names of tenants, which most routes know by their ids only. */
import { get, part } from './api.js';
import { Store } from './store.js';

/** So many are read at once and offered in lists; others are looked up when they are met. */
const MAX_LISTED = 1000;
/** Beyond that, those are forgotten that were learnt first, and looked up again when they are met. */
const MAX_KNOWN = 5000;
const MAX_AT_ONCE = 20;
/** One that could not be looked up is asked for again after so long, if it is still shown. */
const AGAIN_MS = 30_000;
const EVERY_MS = 60_000;

export const tenants = new Store({ list: [], isAll: true });
const known = new Map();
/** Those that are asked for, without an end, and those that were in vain, with when they may be asked for again. */
const asked = new Map();

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
  known.delete(tenant_id);
  known.set(tenant_id, name);
  asked.delete(tenant_id);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
}

/** The name, or the id until it is known. */
export function nameOf(tenantId) {
  if (!known.has(tenantId)) lookUp(tenantId);
  return known.get(tenantId) ?? tenantId;
}

let asking = 0;

async function lookUp(tenantId) {
  if ((asked.get(tenantId) ?? 0) > Date.now() || asking >= MAX_AT_ONCE) return;
  if (asked.size >= MAX_KNOWN) asked.clear();
  asked.set(tenantId, Infinity);
  asking++;
  const tenant = await get(`/admin/tenants/${part(tenantId)}`).catch(() => null);
  asking--;
  if (tenant) remember(tenant);
  else asked.set(tenantId, Date.now() + AGAIN_MS);
  // Also for those that had to wait for it.
  tenants.set(tenants.value);
}
