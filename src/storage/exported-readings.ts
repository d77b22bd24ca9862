/** A page of what an export has of the claims of documents. */
import type { Queryable } from './database.ts';
import { type ClaimContradiction, contradictionsOfClaims, type DocumentReading } from './document-claims.ts';
import { type ExportRange, foundAt, IN_SCOPE, type Looked, THERE, valuesOf } from './exported.ts';
import { bytesOf, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';

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

/** After the last one that fitted, where not all did, or else after all that were looked at. */
const next = (isCut: string, last: string) =>
  `(case when ${isCut} then ${last} + 1 when looked.rows = $8 then looked.last + 1 end)::float8 as next`;

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
    `with ${foundAt('')}
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
