/** A page of the documents of an export. */
import { type Copied, copyRows, countRows, lastRowOf, rowsIn, rowsOf } from './copied-rows.ts';
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
  /** To be gone through once: they are taken out of what COPY sent one by one. */
  documents: Iterable<ExportedDocument>;
  /** Rows that were looked at before the next page. */
  looked: number;
}

interface Wanted {
  withTexts: boolean;
  bytes: number;
}

/**
 * Null when the scope is gone. The two tables are read one after the other, since a join of them would cost Postgres as much again. Each
 * has a snapshot of its own: what is in the second never changes, and a row that was removed in between has no contents and is left out.
 */
export async function listExportedDocuments(
  db: Queryable & Copyable,
  scope: ScopeHandle,
  range: ExportRange,
  wanted: Wanted,
): Promise<ExportedDocuments | null> {
  const values = valuesOf(scope, range);
  const [text, contents] = (await db.copy([plain(wanted), contentsIn(wanted)], values)) as [string, string];
  if (text === '') return (await isThere(db, values)) ? { documents: [], looked: 0, next: null } : null;
  const end = endOf(lastRowOf(text), PLACE);
  const isPlain = !HAS_DOUBTFUL.test(text) && endOf(lastRowOf(contents), CONTENTS_PLACE) >= end;
  // Whoever asks can ask for the next page at once, and take this one apart meanwhile.
  if (isPlain) return { documents: joined(text, contents), looked: countRows(text), next: toNext(end) };
  return listDoubtful(db, scope, range, wanted, rowsOf(text), rowsOf(contents));
}

/** Both are in order. */
function* joined(text: string, contents: string): Generator<ExportedDocument, void> {
  const [rows, contentRows] = [rowsIn(text), rowsIn(contents)];
  let its = contentRows.next().value;
  for (const row of rows) {
    const place = Number(row[PLACE]);
    while (its && Number(its[CONTENTS_PLACE]) < place) its = contentRows.next().value;
    if (its && Number(its[CONTENTS_PLACE]) === place) yield toDocument(row, its);
  }
}

/** The same for a page of which some may have other versions, or of which not all contents are there. */
async function listDoubtful(
  db: Copyable,
  scope: ScopeHandle,
  range: ExportRange,
  wanted: Wanted,
  rows: Copied[][],
  contentRows: Copied[][],
): Promise<ExportedDocuments> {
  const contents = new Map(contentRows.map((row) => [Number(row[CONTENTS_PLACE]), row]));
  let [found, end] = [rows.map(toFound), endOf(rows.at(-1), PLACE)];
  const doubtful = found.filter(({ isDoubtful }) => isDoubtful).map(({ place }) => place);
  if (doubtful.length > 0) {
    const upTo = valuesOf(scope, { ...range, to: Math.max(...doubtful) + 1 });
    const [newestRows] = await copyRows(db, [newest(wanted)], [...upTo, `{${doubtful}}`]);
    found = [...found.filter(({ isDoubtful }) => !isDoubtful), ...newestRows.map(toFound)];
    found.sort((one, other) => one.place - other.place);
    const moved = found.filter(({ place, seq }) => place !== seq);
    for (const { place } of moved) contents.delete(place);
    const movedRows = moved.length > 0 ? await contentsOf(db, valuesOf(scope, range), wanted, moved) : [];
    for (const row of movedRows) contents.set(Number(row[CONTENTS_PLACE]), row);
    end = Math.min(end, endOf(newestRows.at(-1), PLACE), endOf(movedRows.at(-1), CONTENTS_PLACE));
  }
  // Contents that did not fit end the page only where they are shown: many a version is not.
  const cut = endOf(contentRows.at(-1), CONTENTS_PLACE);
  const missing = found.find(({ place, seq }) => place >= cut && place === seq);
  end = Math.min(end, missing?.place ?? end);
  const documents = found.flatMap(({ place, row }) => {
    const its = contents.get(place);
    return its && place < end ? [toDocument(row, its)] : [];
  });
  const looked = rows.filter((row) => Number(row[PLACE]) < end).length;
  return { documents, looked, next: toNext(end) };
}

const toNext = (end: number) => (Number.isFinite(end) ? end : null);

/** The first place that is not among some rows, though there may be something: the first column of the last one tells it. */
function endOf(last: Copied[] | undefined, place: number): number {
  return last?.[0] === 't' ? Number(last[place]) + 1 : Number.POSITIVE_INFINITY;
}

/** What a page has of a document but for its contents. */
interface Found {
  /** There may be other versions of it, or it may be about to be purged: for the time being it has only a place. */
  isDoubtful: boolean;
  place: number;
  seq: number;
  row: Copied[];
}

const [DOUBT, PLACE, SEQ] = [1, 2, 5];
const CONTENTS_PLACE = 1;
/** Of the rows of documents, which begin with two booleans. No field of them has a newline. */
const HAS_DOUBTFUL = /^[tf]\tt\t/m;

function toFound(row: Copied[]): Found {
  return { isDoubtful: row[DOUBT] === 't', place: Number(row[PLACE]), seq: Number(row[SEQ]), row };
}

const SHOWN = `place, document_id, version, seq,
  case when in_work then 'processing' when state = 'registered' then 'pending' when state = 'retrying' then 'queued' else state end,
  attempts, error, accepted_at, queued_at, case when in_work then claimed_at else started_at end, finished_at, not_before, claims,
  to_json(warnings)`;
/** What is in work only the lane knows. */
const LANE = `from lanes where ${IN_SCOPE} and ready_at > now()`;
const IN_WORK = `(seq = any ((select claimed ${LANE})::bigint[])) is true as in_work, (select claimed_at ${LANE}) as claimed_at`;
/** What a row may be large by. */
const BYTES = bytesOf(['document_id', 'error', 'warnings::text']);

/** Finds the last row of a page of a table that fits, and whether there may be more. Most pages fit whole, which a sum tells. */
const fitting = (table: string, bytes: string, most: number) => `sizes as materialized (
    select seq, ${bytes} as bytes from ${table} where ${IN_SCOPE} and seq >= $5 and seq < $6 order by seq limit $8
  ), whole as materialized (
    select count(*) as rows, sum(bytes) as bytes, max(seq) as last from sizes
  ), fitting as materialized (
    select last, rows = $8 as goes_on from whole where bytes <= ${most}
     union all
    select max(seq), true
      from (select seq, sum(bytes) over (order by seq) - bytes as bytes_before from sizes
             where (select bytes from whole) > ${most}) its
     where bytes_before < ${most} having count(*) > 0
  )`;

/**
 * The documents of a range as its rows have them. Nearly every row has no version after it, which the index alone tells, in a scope
 * that has nothing to purge: it is the document.
 */
const plain = ({ bytes }: Wanted) => `with ${fitting('documents', BYTES, bytes)}
  select (select goes_on from fitting), is_doubtful, ${SHOWN}
    from (select *, seq as place, ${IN_WORK}, (
            select later.version from documents later
             where later.scope_key = $1 and later.generation = $2 and later.document_id = documents.document_id
               and later.version > documents.version order by later.version limit 1
          ) is not null or exists (select from document_purges where ${IN_SCOPE}) as is_doubtful
            from documents where ${IN_SCOPE} and seq >= $5 and seq <= (select last from fitting) order by seq limit $8) its
   where exists ${THERE} order by place`;

/** Those that may have other versions than that at these places. */
const newest = ({ bytes }: Wanted) => {
  const page = `select *, ${IN_WORK} from found`;
  const fits = withinBytes(page, { select: SHOWN, order: 'place', bytes: BYTES, most: bytes });
  return `with ${foundAt('and seq = any ($9::bigint[])')}
    select goes_on, false, fits.* from (${fits}) fits where exists ${THERE} order by place`;
};

async function isThere(db: Queryable, values: Values): Promise<boolean> {
  const { rowCount } = await db.query(`select where exists ${THERE}`, values.slice(0, 4));
  return rowCount === 1;
}

const shownContents = (withTexts: boolean) => `name, type, source, provenance ${withTexts ? ', text' : ''}`;
const bytesOfContents = (withTexts: boolean) =>
  bytesOf(['name', 'source', 'provenance', ...(withTexts ? ['text'] : [])]);

const contentsIn = ({
  withTexts,
  bytes,
}: Wanted) => `with ${fitting('document_contents', bytesOfContents(withTexts), bytes)}
  select (select goes_on from fitting), seq, ${shownContents(withTexts)} from document_contents
   where ${IN_SCOPE} and seq >= $5 and seq <= (select last from fitting) and exists ${THERE} order by seq limit $8`;

/** The same of some that have other numbers than their places. */
async function contentsOf(db: Copyable, values: Values, { withTexts, bytes }: Wanted, some: Found[]) {
  const page = `select place, contents.* from unnest($9::bigint[], $10::bigint[]) as wanted (place, its)
                 cross join lateral (select * from document_contents where ${IN_SCOPE} and seq = its limit 1) contents`;
  const shown = `place, ${shownContents(withTexts)}`;
  const fits = withinBytes(page, { select: shown, order: 'place', bytes: bytesOfContents(withTexts), most: bytes });
  const places = [`{${some.map(({ place }) => place)}}`, `{${some.map(({ seq }) => seq)}}`];
  const select = `select goes_on, ${shown} from (${fits}) fits where exists ${THERE} order by place`;
  const [rows] = await copyRows(db, [select], [...values, ...places]);
  return rows;
}

function toDocument(row: Copied[], contents: Copied[]): ExportedDocument {
  const [, , , document_id, version, seq, state, attempts, error, ...rest] = row as Shown;
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
  goesOn: Copied,
  isDoubtful: Copied,
  place: Copied,
  document_id: Copied,
  version: Copied,
  seq: Copied,
  state: Copied,
  attempts: Copied,
  error: Copied,
  accepted_at: Copied,
  queued_at: Copied,
  started_at: Copied,
  finished_at: Copied,
  not_before: Copied,
  claims: Copied,
  warnings: Copied,
];
type Contents = [
  goesOn: Copied,
  place: Copied,
  name: Copied,
  type: Copied,
  source: Copied,
  provenance: Copied,
  text?: Copied,
];
