/** A page of the documents of an export. */
import { type Copied, copyRows } from './copied-rows.ts';
import type { Copyable, Queryable } from './database.ts';
import { type ExportRange, foundAt, IN_SCOPE, type Looked, THERE, type Values, valuesOf } from './exported.ts';
import { bytesOf, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';

/** Each as COPY writes it; the warnings are JSON, or null. */
export interface ExportedDocument {
  document_id: Copied;
  version: Copied;
  seq: Copied;
  name: Copied;
  type: Copied;
  source: Copied;
  provenance: Copied;
  state: Copied;
  attempts: Copied;
  error: Copied;
  accepted_at: Copied;
  queued_at: Copied;
  started_at: Copied;
  finished_at: Copied;
  not_before: Copied;
  claims: Copied;
  warnings: Copied;
  /** Where texts are wanted. */
  text: Copied | undefined;
}

export interface ExportedDocuments extends Looked {
  documents: ExportedDocument[];
}

interface Wanted {
  withTexts: boolean;
  bytes: number;
}

/**
 * Null when the scope is gone. The rows of a page are read of one table and then of the other: what is in the second never changes, and
 * a join of both would cost Postgres as much again.
 */
export async function listExportedDocuments(
  db: Queryable & Copyable,
  scope: ScopeHandle,
  range: ExportRange,
  wanted: Wanted,
): Promise<ExportedDocuments | null> {
  const values = valuesOf(scope, range);
  const [rows, contents] = await copyRows(db, [PLAIN, contentsIn(wanted)], values);
  const looked = rows.map(toFound);
  const last = looked.at(-1);
  if (!last) return (await isThere(db, values)) ? { documents: [], next: null } : null;
  const next = looked.length === range.limit ? last.place + 1 : null;
  const doubtful = looked.filter(({ isDoubtful }) => isDoubtful).map(({ place }) => place);
  if (doubtful.length === 0) return fitting(looked, contents, next);
  const [newest] = await copyRows(db, [NEWEST], [...values, `{${doubtful}}`]);
  const found = [...looked.filter(({ isDoubtful }) => !isDoubtful), ...newest.map(toFound)];
  found.sort((one, other) => one.place - other.place);
  const theirPlaces = [`{${found.map(({ place }) => place)}}`, `{${found.map(({ row }) => row[4])}}`];
  const [theirs] = await copyRows(db, [contentsOfSome(wanted)], [...values, ...theirPlaces]);
  return fitting(found, theirs, next);
}

/** What a page has of a document but for its contents. */
interface Found {
  /** There may be other versions of it. */
  isDoubtful: boolean;
  place: number;
  row: Copied[];
}

function toFound(row: Copied[]): Found {
  return { isDoubtful: row[0] === 't', place: Number(row[1]), row };
}

const SHOWN = `place, document_id, version, seq,
  case when in_work then 'processing' when state = 'registered' then 'pending' when state = 'retrying' then 'queued' else state end,
  attempts, error, accepted_at, queued_at, case when in_work then claimed_at else started_at end, finished_at, not_before, claims,
  to_json(warnings)`;
/** What is in work only the lane knows. */
const LANE = `from lanes where ${IN_SCOPE} and ready_at > now()`;
const IN_WORK = `(seq = any ((select claimed ${LANE})::bigint[])) is true as in_work, (select claimed_at ${LANE}) as claimed_at`;

/**
 * The documents of a range as its rows have them. Nearly every row has no version after it, which the index alone tells, in a scope
 * that has nothing to purge: it is the document.
 */
const PLAIN = `select is_doubtful, ${SHOWN}
  from (select *, seq as place, ${IN_WORK}, (
          select later.version from documents later
           where later.scope_key = $1 and later.generation = $2 and later.document_id = documents.document_id
             and later.version > documents.version order by later.version limit 1
        ) is not null or exists (select from document_purges where ${IN_SCOPE}) as is_doubtful
          from documents where ${IN_SCOPE} and seq >= $5 and seq < $6 order by seq limit $8) its
 where exists ${THERE} order by place`;

/** Those that may have other versions than that at these places. */
const NEWEST = `with ${foundAt('and seq = any ($9::bigint[])')}
  select false, ${SHOWN} from (select *, ${IN_WORK} from found) its where exists ${THERE} order by place`;

async function isThere(db: Queryable, values: Values): Promise<boolean> {
  const { rowCount } = await db.query(`select where exists ${THERE}`, values.slice(0, 4));
  return rowCount === 1;
}

const shownContents = (withTexts: boolean) => `name, type, source, provenance ${withTexts ? ', text' : ''}`;
/** What a row may be large by. */
const wide = (withTexts: boolean) => bytesOf(['name', 'source', 'provenance', ...(withTexts ? ['text'] : [])]);

/** Of a range, as long as those before a row are not too large together; the first column tells whether there may be more. */
const contentsIn = ({ withTexts, bytes }: Wanted) => `with sizes as materialized (
    select seq, ${wide(withTexts)} as bytes from document_contents
     where ${IN_SCOPE} and seq >= $5 and seq < $6 order by seq limit $8
  ), fitting as materialized (
    select count(*) as rows, case when sum(bytes) <= ${bytes} then max(seq) else (
             select max(seq) from (select seq, sum(bytes) over (order by seq) - bytes as bytes_before from sizes) its
              where bytes_before < ${bytes}) end as last, max(seq) as last_of_all from sizes
  )
  select (select last < last_of_all or rows = $8 from fitting), seq, ${shownContents(withTexts)} from document_contents
   where ${IN_SCOPE} and seq >= $5 and seq <= (select last from fitting) and exists ${THERE} order by seq limit $8`;

/** The same of those at these places, which have these numbers. */
const contentsOfSome = ({ withTexts, bytes }: Wanted) => {
  const page = `select place, contents.* from unnest($9::bigint[], $10::bigint[]) as wanted (place, its)
                 cross join lateral (select * from document_contents where ${IN_SCOPE} and seq = its limit 1) contents`;
  const shown = `place, ${shownContents(withTexts)}`;
  const fits = withinBytes(page, { select: shown, order: 'place', bytes: wide(withTexts), most: bytes });
  return `select goes_on, ${shown} from (${fits}) fits where exists ${THERE} order by place`;
};

/** Those whose contents are there; and where the next page begins, if not all have come or fitted. */
function fitting(found: Found[], contents: Copied[][], next: number | null): ExportedDocuments {
  const byPlace = new Map(contents.map((row) => [Number(row[1]), row]));
  const last = contents.at(-1);
  const end = last?.[0] === 't' ? Number(last[1]) + 1 : Number.POSITIVE_INFINITY;
  const documents = found.flatMap(({ place, row }) => {
    const its = byPlace.get(place);
    return its && place < end ? [toDocument(row, its)] : [];
  });
  const upTo = Math.min(end, next ?? end);
  return { documents, next: Number.isFinite(upTo) ? upTo : null };
}

function toDocument(row: Copied[], contents: Copied[]): ExportedDocument {
  const [, , document_id, version, seq, state, attempts, error, ...rest] = row as Shown;
  const [accepted_at, queued_at, started_at, finished_at, not_before, claims, warnings] = rest;
  const [, , name, type, source, provenance, text] = contents as Contents;
  return {
    document_id,
    version,
    seq,
    name,
    type,
    source,
    provenance,
    state,
    attempts,
    error,
    accepted_at,
    queued_at,
    started_at,
    finished_at,
    not_before,
    claims,
    warnings,
    text,
  };
}

type Shown = [
  ...[
    isDoubtful: Copied,
    place: Copied,
    document_id: Copied,
    version: Copied,
    seq: Copied,
    state: Copied,
    attempts: Copied,
  ],
  ...[
    error: Copied,
    accepted_at: Copied,
    queued_at: Copied,
    started_at: Copied,
    finished_at: Copied,
    not_before: Copied,
  ],
  ...[claims: Copied, warnings: Copied],
];
type Contents = [
  ...[goesOn: Copied, seq: Copied, name: Copied, type: Copied, source: Copied, provenance: Copied, text?: Copied],
];
