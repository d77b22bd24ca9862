/** The events table, for those who read it. It is written by `write_events` alone. */
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
export async function listEventsAcrossTenants(db: Queryable, after: string, limit: number): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>(
    `select ${ROW} from events where event_id > $1 order by event_id limit $2`,
    [after, limit],
  );
  return rows;
}

/** A piece of the log: what is wanted among so many ids from the first after one on, and no more than so many of those. */
export interface PieceOptions {
  after: string;
  /** Null for all. */
  types: string[] | null;
  look: number;
  most: number;
}

export interface LogPiece {
  rows: EventRow[];
  /** Where looking began; null when there is nothing after. */
  first: string | null;
  /** The newest that was trimmed away; '0' for none. */
  trimmed: string;
}

export function listPieceAcrossTenants(db: Queryable, piece: PieceOptions): Promise<LogPiece> {
  return listPiece(db, piece, { isNear: 'true', isWanted: 'true', values: [] });
}

export function listPieceOfScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  piece: PieceOptions,
): Promise<LogPiece> {
  // By the expression of the index events_by_scope.
  const isNear = "hashtextextended(tenant_id || ' ' || scope_id, 0) = hashtextextended($5 || ' ' || $6, 0)";
  const isWanted = `${isNear} and tenant_id = $5 and scope_id = $6`;
  return listPiece(db, piece, { isNear, isWanted, values: [tenantId, scopeId] });
}

/**
 * One statement, so that what was trimmed and what is there belong together. The range of ids is its bound, since it holds
 * for every plan: with a limit alone, Postgres has sorted all of a scope to return a few. `isNear` finds where to begin,
 * past all that belongs to others.
 */
async function listPiece(
  db: Queryable,
  { after, types, look, most }: PieceOptions,
  { isNear, isWanted, values }: { isNear: string; isWanted: string; values: string[] },
): Promise<LogPiece> {
  const { rows } = await db.query<{ trimmed: string; first: string | null } & EventRow>(
    `select log.trimmed_up_to as trimmed, first.event_id as first, found.*
       from event_log log
       left join lateral (
         select event_id from events
          where event_id > greatest($1::bigint, log.trimmed_up_to) and ${isNear} order by event_id limit 1
       ) first on true
       left join lateral (
         select ${ROW} from events
          where event_id >= first.event_id and event_id < first.event_id + $2::int and ${isWanted}
            and ($4::text[] is null or type = any ($4)) order by event_id limit $3
       ) found on true
      order by found.event_id`,
    [after, look, most, types, ...values],
  );
  const { trimmed, first } = rows[0] as { trimmed: string; first: string | null };
  return { rows: rows.filter(({ event_id }) => event_id !== null), first, trimmed };
}

/** The newest id that there is, whatever was trimmed; '0' for none. */
export async function findLastEventId(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ last: string }>('select coalesce(max(event_id), 0) as last from events');
  return (rows[0] as { last: string }).last;
}

/** The newest id that there is or was; '0' for none. */
export async function findNewestEventId(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ newest: string }>(
    'select greatest(trimmed_up_to, coalesce((select max(event_id) from events), 0)) as newest from event_log',
  );
  return (rows[0] as { newest: string }).newest;
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
