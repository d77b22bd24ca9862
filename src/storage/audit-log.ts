/** The audit_log table: rows are added, listed, and deleted when they are too old. A trigger refuses everything else. */
import type { Actor } from '../contract/actor.ts';
import type { Queryable } from './database.ts';

/** What all rows of one statement have alike. */
export interface AuditSource {
  actor_kind: Actor['kind'];
  actor: string;
  label: string | null;
  address: string | null;
  request_id: string | null;
}

export interface NewAuditRow {
  action: string;
  tenant_id: string | null;
  scope_id: string | null;
  subject: string | null;
  before: object | null;
  after: object | null;
}

export interface AuditRow extends AuditSource, NewAuditRow {
  audit_id: string;
  at: string;
}

/** Whoever writes here takes it, and then the lock of the events: never the other way round. */
const AUDIT_LOCK = 7213005;

/**
 * The lock is held from here to the commit, so that times rise in the order of commits, and nobody who has read up to a row
 * misses one that comes after it.
 */
export async function insertAuditRows(tx: Queryable, source: AuditSource, rows: NewAuditRow[]): Promise<void> {
  await tx.query(
    `with locked as materialized (select pg_advisory_xact_lock($1))
     insert into audit_log (at, action, actor_kind, actor, label, tenant_id, scope_id, subject, before, after, address, request_id)
     select clock_timestamp(), action, $2::text, $3::text, $4::text, tenant_id, scope_id, subject, before, after, $5::text, $6::text
       from locked cross join jsonb_to_recordset($7::jsonb) as done (action text, tenant_id text, scope_id text, subject text,
                                                                     before jsonb, after jsonb)`,
    [
      AUDIT_LOCK,
      source.actor_kind,
      source.actor,
      source.label,
      source.address,
      source.request_id,
      JSON.stringify(rows),
    ],
  );
}

/** Times of the log have milliseconds, so that a place is the same here and there. */
export interface AuditPlace {
  at: string;
  audit_id: string;
}

export interface AuditSearch {
  tenant_id: string | null;
  actor: string | null;
  action: string | null;
  /** From this place on, and before that one. */
  low: AuditPlace;
  high: AuditPlace;
  isNewestFirst: boolean;
  /** No more rows are looked at, and no more of those are returned. */
  look: number;
  most: number;
}

export const FIRST_PLACE: AuditPlace = { at: '-infinity', audit_id: '0' };
export const LAST_PLACE: AuditPlace = { at: 'infinity', audit_id: '0' };

const ROW = `audit_id, at, action, actor_kind, actor, label, tenant_id, scope_id, subject, before, after, address, request_id`;

/**
 * Looks at a range of one index, that of the first thing that is asked for, and leaves out what does not fit the rest. The column is
 * part of the range and of the order, and not compared by itself: else Postgres may walk the whole log in order of time until
 * it comes across a row of a rare tenant. `edge` is the last row that was looked at; null when there was none.
 */
export async function listAuditAcrossTenants(
  db: Queryable,
  { low, high, isNewestFirst, look, most, ...wanted }: AuditSearch,
): Promise<{ rows: AuditRow[]; edge: AuditPlace | null; looked: number }> {
  const near = (['tenant_id', 'actor', 'action'] as const).find((column) => wanted[column] !== null);
  const [columns, value] = near ? [`${near}, at, audit_id`, '$10::text, '] : ['at, audit_id', ''];
  const to = isNewestFirst ? 'desc' : 'asc';
  const inOrder = (names: string) => names.replaceAll(/[\w.]+/g, `$& ${to}`);
  const { rows } = await db.query<AuditRow & { looked: number; edge_at: string; edge_id: string }>(
    `with looked as materialized (
       select * from audit_log
        where (${columns}) >= (${value}$1::timestamptz, $2::bigint) and (${columns}) < (${value}$3::timestamptz, $4::bigint)
        order by ${inOrder(columns)} limit $5
     ), found as (
       select ${ROW} from looked
        where ($6::text is null or tenant_id = $6) and ($7::text is null or actor = $7) and ($8::text is null or action = $8)
        order by ${inOrder('at, audit_id')} limit $9
     ), edge as (
       select at as edge_at, audit_id as edge_id, (select count(*)::int from looked) as looked
         from looked order by ${isNewestFirst ? 'at, audit_id' : 'at desc, audit_id desc'} limit 1
     )
     select edge.*, found.* from edge left join found on true order by ${inOrder('found.at, found.audit_id')}`,
    [
      ...[low.at, low.audit_id, high.at, high.audit_id, look],
      ...[wanted.tenant_id, wanted.actor, wanted.action, most],
      ...(near ? [wanted[near]] : []),
    ],
  );
  const [first] = rows;
  if (!first) return { rows: [], edge: null, looked: 0 };
  const edge = { at: first.edge_at, audit_id: first.edge_id };
  return { rows: rows.filter(({ audit_id }) => audit_id !== null), edge, looked: first.looked };
}

/** Deletes up to a number of those that are older than so many days, the oldest first. Returns how many. */
export async function deleteOldAuditRows(tx: Queryable, keepDays: number, most: number): Promise<number> {
  await tx.query(`select set_config('docket.trims_audit_log', 'on', true)`);
  const { rowCount } = await tx.query(
    `delete from audit_log where audit_id = any (array(
       select audit_id from audit_log where at < now() - $1 * interval '1 day' order by at, audit_id limit $2
          for update skip locked))`,
    [keepDays, most],
  );
  return rowCount ?? 0;
}
