/** What levels that are paused or stopped hold back: by counters, and by a bounded look at their lanes. */
import type { Queryable } from './database.ts';
import { BUSY, findLaneLoadAcrossTenants, firstLanes } from './lane-load.ts';
import { oldestWaiting } from './oldest-waiting.ts';
import { scopeOf } from './scopes.ts';

export interface HeldBack {
  documents: number;
  /** Up to a number. */
  lanes: number;
  /** Of the first lanes, where there are many; null when nothing waits. */
  oldest_age_ms: number | null;
}

/** A page may have two hundred tenants, and each any number of lanes. */
const MOST_COUNTED = 1000;
const MOST_SEARCHED = 20;
const MOST_TENANTS_SEARCHED = 100;

const AGE = `(extract(epoch from now() - oldest) * 1000)::float8 as oldest_age_ms`;

/** In the whole runtime. */
export async function findHeldBackAcrossTenants(db: Queryable): Promise<HeldBack> {
  const { lanes, backlog } = await findLaneLoadAcrossTenants(db);
  const { rows } = await db.query<Pick<HeldBack, 'oldest_age_ms'>>(
    `with ${BUSY}, first as (
       select lane.scope_key from busy cross join lateral (${ofEitherKind('busy', 1)}) lane
        order by lane.ready_at limit ${MOST_TENANTS_SEARCHED}
     )
     select ${AGE} from (select min(${oldestWaiting('scopes')}) as oldest from first ${scopeOf('first.scope_key')}) found`,
  );
  return { documents: backlog, lanes, oldest_age_ms: rows[0]?.oldest_age_ms ?? null };
}

/** By tenant. */
export async function listHeldBackByTenants(db: Queryable, tenantIds: string[]): Promise<Map<string, HeldBack>> {
  const { rows } = await db.query<HeldBack & { tenant_id: string }>(
    `select tenant_id, (tenants.backlog + changed.backlog)::float8 as documents,
            count_lanes(tenant_id, ${MOST_COUNTED})::float8 as lanes, ${AGE}
       from tenants
      cross join lateral (
        select coalesce(sum(c.backlog), 0) as backlog from tenant_changes c where c.tenant_id = tenants.tenant_id) changed
      cross join lateral (
        select min(${oldestWaiting('scopes')}) as oldest
          from (${ofEitherKind('tenants', MOST_SEARCHED)}) first ${scopeOf('first.scope_key')}) found
      where tenant_id = any ($1)`,
    [tenantIds],
  );
  return new Map(rows.map(({ tenant_id, ...held }) => [tenant_id, held]));
}

/** By scope key. */
export async function listHeldBackByScopes(db: Queryable, scopeKeys: string[]): Promise<Map<string, HeldBack>> {
  const { rows } = await db.query<HeldBack & { scope_key: string }>(
    `select scope_key, documents::float8, (case when documents > 0 then 1 else 0 end)::float8 as lanes, ${AGE}
       from (select scope_key, queued + retrying as documents, ${oldestWaiting('scopes')} as oldest
               from scopes where scope_key = any ($1)) found`,
    [scopeKeys],
  );
  return new Map(rows.map(({ scope_key, ...held }) => [scope_key, held]));
}

/** So many lanes of those that are held themselves, and of the others: each kind has an index. */
function ofEitherKind(row: string, most: number): string {
  return `(${firstLanes(row, 'not held', most)}) union all (${firstLanes(row, 'held', most)})`;
}
