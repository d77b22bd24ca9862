/** What is paused or stopped, at a glance: each level with who set that, when and why, and what it holds back. */
import type { Static } from '@sinclair/typebox';
import type { HeldLevel } from '../contract/runtime.ts';
import type { Queryable } from '../storage/database.ts';
import {
  findHeldBackAcrossTenants,
  type HeldBack,
  listHeldBackByScopes,
  listHeldBackByTenants,
} from '../storage/held-back.ts';
import {
  findHeldRuntime,
  type HeldLevelRow,
  listHeldLevelsAcrossTenants,
  listHeldLevelsOfTenant,
} from '../storage/held-levels.ts';
import type { Actor } from './actor.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { nameOf } from './runtime.ts';

/** The ids of a tenant and of a scope, each of which may be empty. */
const PLACE = /^[\w-]{0,100}\/(?:[a-z0-9][a-z0-9-]{0,119})?$/;

/** The whole runtime first, then tenants, each before its scopes; of one tenant only that and its scopes. */
export async function listHeldLevels(db: Queryable, { cursor, limit, tenant_id }: Page & { tenant_id?: string }) {
  const [tenantId = '', scopeId = ''] = decodeCursor('runtime', cursor, PLACE, '/').split('/');
  const isFromStart = cursor === undefined && tenant_id === undefined;
  const whole = isFromStart ? await findHeldRuntime(db) : null;
  const below =
    tenant_id === undefined
      ? await listHeldLevelsAcrossTenants(db, { tenantId, scopeId }, limit + 1)
      : await listHeldLevelsOfTenant(db, tenant_id, tenantId === tenant_id ? scopeId : null, limit + 1);
  const { items, next_cursor } = toPage('runtime', whole ? [whole, ...below] : below, limit, placeOf);
  const rows = items.filter(({ is_live }) => is_live);
  const heldBackOf = await findHeldBack(db, rows);
  return { levels: rows.map((row) => show(row, heldBackOf(row))), next_cursor };
}

const placeOf = ({ tenantId, scopeId }: HeldLevelRow) => `${tenantId ?? ''}/${scopeId ?? ''}`;

const NOTHING: HeldBack = { documents: 0, lanes: 0, oldest_age_ms: null };

/** In as many statements as there are kinds of levels. What has gone meanwhile holds nothing. */
async function findHeldBack(db: Queryable, rows: HeldLevelRow[]): Promise<(row: HeldLevelRow) => HeldBack> {
  const scopes = rows.flatMap(({ scopeKey }) => scopeKey ?? []);
  const tenants = rows.flatMap(({ tenantId, scopeKey }) => (scopeKey === null && tenantId !== null ? tenantId : []));
  const isWhole = rows[0]?.tenantId === null;
  const inAll = isWhole ? await findHeldBackAcrossTenants(db) : NOTHING;
  const byTenant = tenants.length > 0 ? await listHeldBackByTenants(db, tenants) : new Map<string, HeldBack>();
  const byScope = scopes.length > 0 ? await listHeldBackByScopes(db, scopes) : new Map<string, HeldBack>();
  return ({ tenantId, scopeKey }) => {
    if (tenantId === null) return inAll;
    return (scopeKey === null ? byTenant.get(tenantId) : byScope.get(scopeKey)) ?? NOTHING;
  };
}

function show(row: HeldLevelRow, holds: HeldBack): Static<typeof HeldLevel> {
  const { tenantId, scopeId, state, set_at, reason } = row;
  return {
    level: nameOf(row),
    tenant_id: tenantId,
    scope_id: scopeId,
    state,
    set_by: whoSet(row),
    set_at,
    reason,
    holds,
  };
}

/** Only operators set states. What is not the prefix of a key is what a bootstrap key is called. */
function whoSet({ set_by, is_key, label }: HeldLevelRow): Actor | null {
  if (set_by === null) return null;
  return is_key
    ? { kind: 'operator', key_prefix: set_by, label }
    : { kind: 'bootstrap', key_prefix: null, label: set_by };
}
