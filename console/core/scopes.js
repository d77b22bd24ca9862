/** Scopes with how far their documents agree: of all tenants for an internals key, and tenant by tenant for an admin key. */
import { get, part, scopePath } from './api.js';
import { count } from './format.js';
import { seesInternals } from './session.js';

/** So many are read and sorted in the page. No route gives them in the order of how far they have come. */
const MAX_SCOPES = 1000;
const PAGE = 100;
/** An admin key has to ask for each scope by itself. */
const MAX_ASKED = 100;
const AT_ONCE = 4;

/** `{ scopes, isMore }`; each scope as the route of convergence gives it, without `history` where that is not known. */
export async function readScopes(tenantId, signal) {
  return seesInternals() ? ofAll(tenantId, signal) : ofTenant(tenantId, signal);
}

async function ofAll(tenantId, signal) {
  const scopes = [];
  let cursor;
  do {
    const page = await get('/internals/kernel/convergence', { limit: PAGE, tenant_id: tenantId, cursor }, { signal });
    scopes.push(...page.scopes);
    cursor = page.next_cursor;
  } while (cursor && scopes.length < MAX_SCOPES);
  return { scopes, isMore: Boolean(cursor) };
}

async function ofTenant(tenantId, signal) {
  const { scopes: list, next_cursor } = await get(
    `/admin/tenants/${part(tenantId)}/scopes`,
    { limit: MAX_ASKED },
    { signal },
  );
  const left = list.map(({ scope_id }) => scope_id);
  const scopes = [];
  const askOn = async () => {
    for (let scope_id = left.shift(); scope_id !== undefined; scope_id = left.shift()) {
      const { convergence } = await get(`${scopePath(tenantId, scope_id)}/summary`, {}, { signal });
      scopes.push({ tenant_id: tenantId, scope_id, ...convergence });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return { scopes, isMore: next_cursor !== null };
}

/**
 * Which ones were read where there are more, in a sentence: one route gives scopes in the order of their making, the other, which
 * an admin key has to take, by their ids.
 */
export function partRead({ scopes, isMore }, tenantId) {
  if (!isMore) return null;
  const n = count(scopes.length);
  const which = seesInternals() ? `the ${n} oldest scopes` : `the first ${n} scopes by their ids`;
  const whose = tenantId ? ' of this tenant' : '';
  const help = tenantId ? '' : ' Choose a tenant to look at its own.';
  return `Only ${which}${whose} were looked at, and there are more.${help}`;
}

const ORDER = ['diverging', 'plateaued', 'converging', 'converged', 'empty'];

/** Those that need somebody first. */
export const byNeed = (a, b) =>
  ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
  b.groups.disputed - a.groups.disputed ||
  (a.score ?? 1) - (b.score ?? 1) ||
  a.scope_id.localeCompare(b.scope_id);
