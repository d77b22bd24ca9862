/** What waits and what is in work over all tenants: by the tenants that have lanes, and by so many lanes at most. */
import type { Queryable } from './database.ts';
import { scopeOf } from './scopes.ts';

export interface LaneLoad {
  /** All of them; those below are parts of it. */
  lanes: number;
  in_work: number;
  /** Neither in work nor runnable: paused or stopped, at any level. */
  held: number;
  /** Documents that wait, held or not. */
  backlog: number;
  /** How long the oldest document of a runnable lane has been waiting. */
  oldest_age_ms: number;
  /** How long the lane that could run and has waited longest has done so. */
  longest_wait_ms: number;
}

/** More lanes are not looked at: what is held may grow for as long as it is. It takes a tenth of a second to count so many. */
const MOST_COUNTED = 100_000;
/** Of so many tenants, and so many lanes of theirs, the one that has waited longest is looked for. */
const MOST_SEARCHED = 100;

/** Those that can have lanes. What was folded in and what was not are read by one statement, so that nothing is counted twice. */
export const BUSY = `busy as materialized (
  select tenant_id, tenants.backlog + coalesce(changed.backlog, 0) as backlog,
         tenants.state = 'running' and runtime.state = 'running' as runs
    from tenant_turns join tenants using (tenant_id)
    left join (select tenant_id, sum(backlog) as backlog from tenant_changes group by tenant_id) changed using (tenant_id),
         runtime
   where tenant_turns.busy and tenants.deleted_at is null)`;

/**
 * Of the tenant of this row, those that have been ready longest. Rows are compared, where one would write that the tenant is this
 * one: Postgres might then sort all its lanes for the first.
 */
export const firstLanes = (row: string, condition: 'held' | 'not held', most: number) =>
  `select scope_key, ready_at from lanes
    where (lanes.tenant_id, ready_at) >= (${row}.tenant_id, timestamptz '-infinity') and lanes.tenant_id <= ${row}.tenant_id
      and ${condition}
    order by lanes.tenant_id, ready_at limit ${most}`;

/** Lanes that are held are walked past by nobody: a tenant's are found by the tenant, and those of the others are not read. */
export async function findLaneLoadAcrossTenants(db: Queryable): Promise<LaneLoad> {
  const { rows } = await db.query<LaneLoad>(
    `with ${BUSY}, counted as (
       select count(*) as lanes, count(*) filter (where is_in_work) as in_work,
              count(*) filter (where not is_in_work and (held or not runs)) as held
         from (select tenant_id, held, holder is not null and ready_at > now() as is_in_work
                 from lanes limit ${MOST_COUNTED}) looked_at join busy using (tenant_id)
     ), first as materialized (
       select tenant_id, lane.ready_at from busy
        cross join lateral (${firstLanes('busy', 'not held', 1)}) lane
        where runs order by lane.ready_at limit ${MOST_SEARCHED}
     ), waiting as (
       select lane.scope_key from first
        cross join lateral (${firstLanes('first', 'not held', MOST_SEARCHED)}) lane
        order by lane.ready_at limit ${MOST_SEARCHED}
     ), oldest as (
       select min(d.queued_at) as queued_at from waiting ${scopeOf('waiting.scope_key')}
        cross join lateral (
          -- As in lease_lanes: an equality would have the primary key walked.
          select queued_at from documents
           where documents.scope_key = scopes.scope_key and documents.generation = scopes.generation
             and documents.state between 'queued' and 'queued' and seq >= queued_from
           order by documents.state, seq limit 1) d
     )
     select lanes::float8, in_work::float8, held::float8,
            (select coalesce(sum(backlog), 0) from busy)::float8 as backlog,
            coalesce(extract(epoch from now() - (select queued_at from oldest)) * 1000, 0)::float8 as oldest_age_ms,
            coalesce(greatest(0, extract(epoch from now() - (select min(ready_at) from first)) * 1000), 0)::float8
              as longest_wait_ms
       from counted`,
  );
  return rows[0] as LaneLoad;
}
