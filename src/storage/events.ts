/** The events table, for those who read it. It is written by `append_events` and the functions beside it. */
import type { Queryable } from './database.ts';

export interface EventRow {
  event_id: string;
  ts: string;
  type: string;
  tenant_id: string | null;
  scope_id: string | null;
  payload: Record<string, unknown>;
}

const ROW = 'event_id, ts, type, tenant_id, scope_id, payload';

/** In order of their ids, which is the order of commits, from after one on. */
export async function listEventsAcrossTenants(
  db: Queryable,
  after: string,
  types: string[] | null,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>(
    `select ${ROW} from events where event_id > $1 ${types ? 'and type = any ($3)' : ''} order by event_id limit $2`,
    [after, limit, ...(types ? [types] : [])],
  );
  return rows;
}

export async function listScopeEvents(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  after: string,
  types: string[] | null,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>(
    `select ${ROW} from events
      -- By the expression of the index events_by_scope.
      where hashtextextended(tenant_id || ' ' || scope_id, 0) = hashtextextended($1 || ' ' || $2, 0)
        and tenant_id = $1 and scope_id = $2
        and event_id > $3 ${types ? 'and type = any ($5)' : ''} order by event_id limit $4`,
    [tenantId, scopeId, after, limit, ...(types ? [types] : [])],
  );
  return rows;
}

/** The newest id that there is, and the newest that was trimmed away; '0' for none. */
export async function findLogEnds(db: Queryable): Promise<{ newest: string; trimmed: string }> {
  const { rows } = await db.query<{ newest: string; trimmed: string }>(
    `select greatest(trimmed_up_to, coalesce((select max(event_id) from events), 0)) as newest, trimmed_up_to as trimmed
       from event_log`,
  );
  return rows[0] as { newest: string; trimmed: string };
}

/**
 * Deletes the oldest events, up to a number: those older than so many hours, and those that are more than may be kept.
 * Returns how many. Nothing when somebody else is at it.
 */
export async function deleteOldEvents(
  tx: Queryable,
  keep: { hours: number; rows: number },
  most: number,
): Promise<number> {
  const { rows: locked } = await tx.query<{ trimmed: string }>(
    'select trimmed_up_to as trimmed from event_log for update skip locked',
  );
  if (locked.length === 0) return 0;
  const { rows } = await tx.query<{ n: number }>(
    `with oldest as (
       select event_id, ts from events order by event_id limit $3
     ), gone as (
       delete from events where event_id in (
         select event_id from oldest
          where ts < now() - $1 * interval '1 hour' or event_id <= (select max(event_id) from events) - $2::bigint)
       returning event_id
     ), noted as (
       update event_log set trimmed_up_to = greatest(trimmed_up_to, (select max(event_id) from gone))
        where exists (select from gone)
     )
     select count(*)::int as n from gone`,
    [keep.hours, keep.rows, most],
  );
  return rows[0]?.n ?? 0;
}
