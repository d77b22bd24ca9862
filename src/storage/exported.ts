/**
 * What an export reads of a scope: pages by seq, each a statement of its own, so that no snapshot is held. Postgres writes the lines
 * of documents itself: to read rows here and write them as JSON would take several times as long.
 */
import type { Queryable } from './database.ts';
import { type ClaimContradiction, contradictionsOfClaims, type DocumentReading } from './document-claims.ts';
import { firstPurged } from './document-purges.ts';
import { bytesOf, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

/** A scope at some time. If one of the numbers is another one later, something has changed meanwhile. */
export interface ExportedScope extends ScopeHandle {
  /** It does not move with what is accepted or reported; the others do. */
  revision: number;
  next_seq: number;
  reported: number;
}

export async function findExportedScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
): Promise<ExportedScope | null> {
  const { rows } = await db.query<ExportedScope>(
    `select tenant_id, scope_id, scope_key, generation, revision::float8 as revision, next_seq::float8 as next_seq,
            contradictions_reported::float8 as reported
       from scopes where tenant_id = $1 and scope_id = $2 and ${ofLiveTenant('scopes')}`,
    [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

export interface ExportRange {
  /** The first seq to look at, and the first not to. */
  from: number;
  to: number;
  /** The first that came after the start of the export. */
  start: number;
  /** Rows to look at, at most. */
  limit: number;
}

/** Where the next page begins; null after the last one. */
interface Looked {
  next: number | null;
}

const IN_SCOPE = 'scope_key = $1 and generation = $2';
/** Whoever deletes or resets it hides all that it held: not even a page of that is shown afterwards. */
const THERE = `(select from scopes where ${IN_SCOPE} and tenant_id = $3 and scope_id = $4 and ${ofLiveTenant('scopes')})`;

const valuesOf = (
  { scope_key, generation, tenant_id, scope_id }: ScopeHandle,
  { from, to, start, limit }: ExportRange,
) => [...[scope_key, generation, tenant_id, scope_id], ...[from, to, start, limit]];

/**
 * Each document is found at one row: that of its newest version that came before the start, though it is shown as it is now, in a
 * version that may have come since. Rows of other versions, and of what is deleted and not yet purged, find nothing.
 */
const FOUND = `looked_at as materialized (
    select seq as place, document_id as id, version as its_version from documents
     where ${IN_SCOPE} and seq >= $5 and seq < $6 order by seq limit $8
  ), looked as (
    select count(*) as rows, max(place) as last from looked_at
  ), found as (
    select place, newest.* from looked_at
     cross join lateral (
       select * from documents where ${IN_SCOPE} and document_id = id and version < ${firstPurged('$1', '$2', 'id')}
        order by version desc limit 1) newest
     where newest.seq = place or (newest.seq >= $7 and newest.version > its_version and (
       select later.seq from documents later
        where later.scope_key = $1 and later.generation = $2 and later.document_id = id and later.version > its_version
        order by later.version limit 1) >= $7)
  )`;

/** After the last one that fitted, where not all did, or else after all that were looked at. */
const next = (isCut: string, last: string) =>
  `(case when ${isCut} then ${last} + 1 when looked.rows = $8 then looked.last + 1 end)::float8 as next`;

export interface DocumentLines extends Looked {
  lines: string;
  count: number;
}

const time = (column: string, name = column) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;
/** What is shown of a document, in order. What is in work only the lane knows. */
const LINE = `'document' as kind, $4::text as scope_id, document_id, version, seq, name, type, source, provenance,
  case when in_work then 'processing' when state = 'registered' then 'pending' when state = 'retrying' then 'queued'
       else state end as state, attempts, error, ${time('accepted_at')}, ${time('queued_at')},
  ${time('case when in_work then claimed_at else started_at end', 'started_at')}, ${time('finished_at')},
  ${time('not_before')}, claims, coalesce(to_json(warnings), '[]') as warnings`;
const WIDE = ['document_id', 'name', 'source', 'provenance', 'error', 'warnings::text'];

/** Null when the scope is gone. */
export async function listExportedDocuments(
  db: Queryable,
  scope: ScopeHandle,
  range: ExportRange,
  { withTexts, bytes }: { withTexts: boolean; bytes: number },
): Promise<DocumentLines | null> {
  const text = withTexts ? ', text' : '';
  const page = `select found.*, name, type, source, provenance ${text}, claimed_at, (found.seq = any (claimed)) is true as in_work
                  from found
                 cross join lateral (select * from document_contents where ${IN_SCOPE} and seq = found.seq limit 1) contents
                  left join (select claimed, claimed_at from lanes where ${IN_SCOPE} and ready_at > now()) lane on true`;
  const fitting = withinBytes(page, {
    select: `place, (select row_to_json(line) from (select ${LINE} ${text}) line)::text as line`,
    order: 'place',
    bytes: bytesOf([...WIDE, ...(withTexts ? ['text'] : [])]),
    most: bytes,
  });
  const { rows } = await db.query<DocumentLines>(
    `with ${FOUND}, written as (
       select coalesce(string_agg(line || e'\\n', '' order by place), '') as lines, count(*)::int as count,
              bool_and(goes_on) as is_cut, max(place) as last from (${fitting}) fitting)
     select lines, count, ${next('is_cut', 'written.last')} from written, looked where exists ${THERE}`,
    valuesOf(scope, range),
  );
  return rows[0] ?? null;
}

export interface ExportedReading extends Pick<DocumentReading, 'version' | 'document_hash' | 'claims' | 'rules'> {
  document_id: string;
  disputes: ClaimContradiction[];
}

export interface ExportedReadings extends Looked {
  readings: ExportedReading[];
}

/** Of each document the newest version that is processed, though newer ones may wait. */
const PROCESSED = `case when found.state = 'processed' then found.version
  when found.version > 1 then processed_version($1, $2, found.document_id, found.version) end`;

/** Null when the scope is gone. `most`: as many contradictions as the claims of a document may have. */
export async function listExportedReadings(
  db: Queryable,
  scope: ScopeHandle,
  range: ExportRange,
  { bytes, most }: { bytes: number; most: number },
): Promise<ExportedReadings | null> {
  // Ordered by what there is one of: without figures of the tables, Postgres would read a whole one for it.
  const page = `select place, its.version, reading.*
                  from found
                 cross join lateral (select ${PROCESSED} as processed) newest
                 cross join lateral (
                   select seq as its_seq, version from documents
                    where ${IN_SCOPE} and document_id = found.document_id and version between processed and processed
                    order by version limit 1) its
                 cross join lateral (
                   select seq, document_id, document_hash, claims, rules from readings
                    where ${IN_SCOPE} and seq between its_seq and its_seq order by seq limit 1) reading`;
  const fitting = withinBytes(page, {
    select: `place, document_id, version, document_hash::float8 as document_hash, claims, rules,
             (select json_agg(its) from (${contradictionsOfClaims('$1', '$2', 'page.seq', '$9')}) its) as disputes`,
    order: 'place',
    bytes: bytesOf(['claims']),
    most: bytes,
  });
  type Row = Omit<ExportedReading, 'disputes'> & Looked & { disputes: ClaimContradiction[] | null };
  const { rows } = await db.query<Row>(
    `with ${FOUND}
     select document_id, version, document_hash, claims, rules, disputes,
            ${next('bool_and(goes_on) over ()', 'max(place) over ()')}
       from looked left join (${fitting}) fitting on true where exists ${THERE} order by place`,
    [...valuesOf(scope, range), most],
  );
  const [first] = rows;
  if (!first) return null;
  // Where nothing was found, there is one row that has nothing.
  const found = rows.filter(({ document_id }) => document_id !== null);
  return { readings: found.map((row) => ({ ...row, disputes: row.disputes ?? [] })), next: first.next };
}
