/** The levels of the runtime that are paused or stopped: who set that, when and why. What each holds back is `held-back.ts`. */
import type { RuntimeState } from '../contract/runtime.ts';
import type { Queryable } from './database.ts';
import type { Level } from './runtime.ts';
import { ofLiveTenant } from './tenants.ts';

export interface HeldLevelRow extends Level {
  /** Of a scope. */
  scopeKey: string | null;
  state: RuntimeState;
  /** A key's prefix, or what a bootstrap key is called. */
  set_by: string | null;
  set_at: string | null;
  reason: string | null;
  /** Whether `set_by` is the prefix of a key; and how that was labelled. */
  is_key: boolean;
  label: string | null;
  /** False for a scope of a deleted tenant, which is not to be seen. */
  is_live: boolean;
}

/** A tenant, and a scope in it; empty for those before all others. */
export interface LevelPlace {
  tenantId: string;
  scopeId: string;
}

/** A reason that is older than the state was given for another one. */
const STATE = `state, state_set_by as set_by, state_set_at as set_at,
  case when state_reason_at = state_set_at then state_reason end as reason`;
/** The order of the indexes of what is held, and of no others: see tenants_held. */
const TENANT = 'tenant_id collate "C"';
const SCOPE = `${TENANT}, scope_id collate "C"`;
/** Keys of operators are never deleted. */
const WHO = `k.key_prefix is not null as is_key, k.label`;

/** The whole of it; null while it runs. */
export async function findHeldRuntime(db: Queryable): Promise<HeldLevelRow | null> {
  const { rows } = await db.query<HeldLevelRow>(
    `select null as "tenantId", null as "scopeId", null as "scopeKey", held.*, ${WHO}, true as is_live
       from (select ${STATE} from runtime where state <> 'running') held left join api_keys k on k.key_prefix = set_by`,
  );
  return rows[0] ?? null;
}

/** Tenants, and scopes behind theirs, from after a place on. It reads no more rows than it returns. */
export async function listHeldLevelsAcrossTenants(
  db: Queryable,
  { tenantId, scopeId }: LevelPlace,
  limit: number,
): Promise<HeldLevelRow[]> {
  const page = pageOf(`${TENANT} > $1`, `(${SCOPE}) > ($1, $2)`);
  return (await db.query<HeldLevelRow>(page, [tenantId, scopeId, limit])).rows;
}

/** The same of one tenant: from after a scope on, or, without one, from the tenant itself. */
export async function listHeldLevelsOfTenant(
  db: Queryable,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<HeldLevelRow[]> {
  // Rows are compared, where one would write that the tenant is this one: Postgres might then sort all its scopes for a page.
  const scopes = `(${SCOPE}) > ($1, coalesce($2, '')) and ${TENANT} <= $1`;
  const page = pageOf('tenant_id = $1 and $2::text is null', scopes);
  return (await db.query<HeldLevelRow>(page, [tenantId, after, limit])).rows;
}

function pageOf(ofTenants: string, ofScopes: string): string {
  return `select tenant_id as "tenantId", nullif(scope_id, '') as "scopeId", scope_key as "scopeKey", state, set_by, set_at,
                 reason, ${WHO}, is_live
            from ((select tenant_id, '' as scope_id, null::bigint as scope_key, ${STATE}, true as is_live from tenants
                    where state <> 'running' and deleted_at is null and ${ofTenants} order by ${TENANT} limit $3)
                  union all
                  (select tenant_id, scope_id, scope_key, ${STATE}, ${ofLiveTenant('scopes')} as is_live from scopes
                    where state <> 'running' and ${ofScopes} order by ${SCOPE} limit $3)) held
            left join (select key_prefix, label from api_keys) k on k.key_prefix = set_by
           order by ${SCOPE} limit $3`;
}
