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
  types: readonly string[] | null;
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

/** In whose part of the log to look. */
interface Part {
  /** The expression of an index, and the one value of it to look for; null for the whole log. */
  near: { hash: string; of: string } | null;
  isWanted: string;
  values: unknown[];
}

const BY_SCOPE = "hashtextextended(tenant_id || ' ' || scope_id, 0)";
const BY_TENANT = 'hashtextextended(tenant_id, 0)';

export function listPieceAcrossTenants(db: Queryable, piece: PieceOptions): Promise<LogPiece> {
  return listPiece(db, piece, { near: null, isWanted: 'true', values: [] });
}

export function listPieceOfScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  piece: PieceOptions,
): Promise<LogPiece> {
  return listPiece(db, piece, {
    near: { hash: BY_SCOPE, of: "hashtextextended($5 || ' ' || $6, 0)" },
    isWanted: 'tenant_id = $5 and scope_id = $6',
    values: [tenantId, scopeId],
  });
}

/** Of all scopes of a tenant, or of some; nothing that belongs to no scope. */
export function listPieceOfTenant(
  db: Queryable,
  tenantId: string,
  scopeIds: string[] | null,
  piece: PieceOptions,
): Promise<LogPiece> {
  return listPiece(db, piece, {
    near: { hash: BY_TENANT, of: 'hashtextextended($5, 0)' },
    isWanted: 'tenant_id = $5 and scope_id is not null and ($6::text[] is null or scope_id = any ($6))',
    values: [tenantId, scopeIds],
  });
}

/**
 * One statement, so that what was trimmed and what is there belong together. The range of ids is its bound, since it holds
 * however rare the types are and whatever Postgres knows of the table; the first of them is found by an index, so as not to read
 * past all that belongs to others.
 */
async function listPiece(
  db: Queryable,
  { after, types, look, most }: PieceOptions,
  { near, isWanted, values }: Part,
): Promise<LogPiece> {
  const { rows } = await db.query<{ trimmed: string; first: string | null } & EventRow>(
    `select log.trimmed_up_to as trimmed, first.event_id as first, found.*
       from event_log log
       left join lateral (
         select event_id from events where ${near ? nearAfter(near) : `event_id > ${START} order by event_id`} limit 1
       ) first on true
       left join lateral (
         select ${ROW} from events
          where event_id >= first.event_id and event_id < first.event_id + $2::int
            and ${near ? `scope_id is not null and ${near.hash} = ${near.of} and ` : ''}${isWanted}
            and ($4::text[] is null or type = any ($4)) order by event_id limit $3
       ) found on true
      order by found.event_id`,
    [after, look, most, types, ...values],
  );
  const { trimmed, first } = rows[0] as { trimmed: string; first: string | null };
  return { rows: rows.filter(({ event_id }) => event_id !== null), first, trimmed };
}

const START = 'greatest($1::bigint, log.trimmed_up_to)';

/**
 * In an order that only the index of this hash has. By the id alone, Postgres would rather walk the log until it comes across the
 * first: a few rows for who has much of it, and all of it when that is older.
 */
const nearAfter = ({ hash, of }: { hash: string; of: string }) =>
  `scope_id is not null and (${hash}, event_id) > (${of}, ${START}) and ${hash} <= ${of} order by ${hash}, event_id`;

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
