/** The documents table, narrow and changing, and document_contents beside it, wide and never changed. */
import type { DocumentState } from '../contract/documents.ts';
import { prepared, type Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import { bytesOf, type Listed, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';

/** As the row has it: two states are kept apart from the one they are shown as, and what is in work only the lane knows. */
export type StoredState = Exclude<DocumentState, 'processing'> | 'registered' | 'retrying';

export const STORED_AS: Record<DocumentState, StoredState[]> = {
  pending: ['registered', 'pending'],
  queued: ['queued', 'retrying'],
  processing: ['queued', 'retrying'],
  processed: ['processed'],
  failed: ['failed'],
  superseded: ['superseded'],
};

export function shownState(state: StoredState | DocumentState): DocumentState {
  return state === 'registered' ? 'pending' : state === 'retrying' ? 'queued' : state;
}

export interface NewDocument {
  scope_key: string;
  generation: number;
  seq: number;
  document_id: string;
  version: number;
  state: 'registered' | 'pending' | 'queued';
  /** In base64. */
  content_sha256: string;
  name: string;
  type: string;
  source: string | null;
  provenance: string | null;
  text: string | null;
  traceparent: string | null;
}

export interface DocumentRow {
  document_id: string;
  version: number;
  seq: number;
  name: string;
  type: string;
  source: string | null;
  provenance: string | null;
  state: DocumentState;
  attempts: number;
  error: string | null;
  accepted_at: string;
  queued_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  not_before: string | null;
  /** Null when it was not processed, or a newer version was. */
  claims: number | null;
  warnings: string[];
}

const IN_WORK = `(seq = any (claimed) and ready_at > now()) is true`;
/** As it is shown, from a document, its contents and its lane. */
export const ROW = `document_id, version, seq::float8 as seq, name, type, source, provenance, attempts, error,
  accepted_at, queued_at, case when ${IN_WORK} then claimed_at else started_at end as started_at, finished_at, not_before,
  claims, coalesce(to_json(warnings), '[]') as warnings, case when ${IN_WORK} then 'processing' when state = 'registered' then 'pending' when state = 'retrying' then 'queued'
       else state end as state`;
/** What a row may be large by. */
export const BYTES = bytesOf(['document_id', 'name', 'type', 'source', 'provenance', 'error', 'warnings::text']);
export const LANE = `left join (select scope_key, generation, claimed, claimed_at, ready_at from lanes) lane using (scope_key, generation)`;
const WHOLE = `documents join document_contents using (scope_key, generation, seq) ${LANE}`;

export async function insertDocuments(tx: Queryable, documents: NewDocument[]): Promise<void> {
  await tx.query(
    `with input as materialized (
       select * from json_to_recordset($1::json) as item
         (scope_key bigint, generation int, seq bigint, document_id text, version int, state text, content_sha256 text,
          name text, type text, source text, provenance text, text text, traceparent text)
     ), contents as (
       insert into document_contents (scope_key, generation, seq, name, type, source, provenance, text, traceparent)
       select scope_key, generation, seq, name, type, source, provenance, text, traceparent from input
     )
     insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, queued_at)
     select scope_key, generation, seq, document_id, version, state, decode(content_sha256, 'base64'),
            case state when 'queued' then now() end
       from input`,
    [JSON.stringify(documents)],
  );
}

export interface LatestVersion {
  scope_key: string;
  document_id: string;
  version: number;
  seq: number;
  state: StoredState;
  content_sha256: string;
}

/** The newest version of each of these documents that exist, in scopes that the transaction has locked. */
export async function listLatestVersions(
  tx: Queryable,
  documents: Pick<NewDocument, 'scope_key' | 'generation' | 'document_id'>[],
): Promise<LatestVersion[]> {
  const { rows } = await tx.query<LatestVersion>(
    `select latest.* from json_to_recordset($1::json) as wanted (scope_key bigint, generation int, document_id text)
      cross join lateral (
        select scope_key, document_id, version, seq::float8 as seq, state,
               encode(content_sha256, 'base64') as content_sha256
          from documents
         where documents.scope_key = wanted.scope_key and documents.generation = wanted.generation
           and documents.document_id = wanted.document_id
           and version < ${firstPurged('wanted.scope_key', 'wanted.generation', 'wanted.document_id')}
         order by version desc limit 1) latest`,
    [JSON.stringify(documents)],
  );
  return rows;
}

/** Sends documents that were waiting or had failed (back) to the queue. */
export async function updateDocumentsQueued(
  tx: Queryable,
  documents: Pick<NewDocument, 'scope_key' | 'generation' | 'seq'>[],
): Promise<void> {
  await tx.query(
    `with wanted as (
       select * from json_to_recordset($1::json) as wanted (scope_key bigint, generation int, seq bigint)
     ), reached as (
       update scopes set queued_from = least(queued_from, first.seq)
         from (select scope_key, min(seq) as seq from wanted group by 1) first where scopes.scope_key = first.scope_key
     )
     update documents set state = 'queued', queued_at = now(), attempts = 0, error = null, finished_at = null, not_before = null
       from wanted
      where documents.scope_key = wanted.scope_key and documents.generation = wanted.generation
        and documents.seq = wanted.seq`,
    [JSON.stringify(documents)],
  );
}

/**
 * Sends up to a number of documents of one state to the queue, in order of seq. Returns them. One of them may be below a version
 * that is in work, for which it was planned in the state that it had.
 */
export async function updateSomeDocumentsQueued(
  tx: Queryable,
  scope: ScopeHandle,
  from: 'pending' | 'failed',
  most: number,
): Promise<Pick<DocumentRow, 'document_id' | 'version' | 'seq'>[]> {
  const { rows } = await tx.query<Pick<DocumentRow, 'document_id' | 'version' | 'seq'>>(
    `with sent as (
       update documents set state = 'queued', queued_at = now(), attempts = 0, error = null, finished_at = null
        where scope_key = $1 and generation = $2 and seq = any (array(
          select seq from documents where scope_key = $1 and generation = $2 and state = $3 order by seq limit $4))
       returning document_id, version, seq
     ), reached as (
       update scopes set queued_from = least(queued_from, (select min(seq) from sent)), revision = revision + 1
        where scope_key = $1 and exists (select from sent)
     )
     select document_id, version, seq::float8 as seq from sent order by seq`,
    [scope.scope_key, scope.generation, from, most],
  );
  return rows;
}

const NEWEST = prepared(
  'find_document',
  `select ${ROW} from ${WHOLE} where scope_key = $1 and generation = $2 and document_id = $3
      and version < ${firstPurged('$1', '$2', '$3')} order by version desc limit 1`,
);

/** The newest version. */
export async function findDocument(db: Queryable, scope: ScopeHandle, documentId: string): Promise<DocumentRow | null> {
  const { rows } = await db.query<DocumentRow>(NEWEST, [scope.scope_key, scope.generation, documentId]);
  return rows[0] ?? null;
}

/** Where a version is, and what its content is known by; of the newest version, unless another is asked for. */
export async function findVersion(
  db: Queryable,
  scope: ScopeHandle,
  documentId: string,
  version: number | null,
): Promise<{ version: number; seq: number; content_sha256: string } | null> {
  const { rows } = await db.query<{ version: number; seq: number; content_sha256: string }>(
    `select version, seq::float8 as seq, encode(content_sha256, 'hex') as content_sha256 from documents
      where scope_key = $1 and generation = $2 and document_id = $3 and version < ${firstPurged('$1', '$2', '$3')}
        ${version === null ? '' : 'and version = $4'} order by version desc limit 1`,
    [scope.scope_key, scope.generation, documentId, ...(version === null ? [] : [version])],
  );
  return rows[0] ?? null;
}

/** What was sent; null when it is gone by now. */
export async function findText(
  db: Queryable,
  scope: ScopeHandle,
  seq: number,
): Promise<{ type: string; text: string | null } | null> {
  const { rows } = await db.query<{ type: string; text: string | null }>(
    'select type, text from document_contents where scope_key = $1 and generation = $2 and seq = $3',
    [scope.scope_key, scope.generation, seq],
  );
  return rows[0] ?? null;
}

/** Those that a document is a side of, as far as they are open or left out. It is given by parameters or by columns. */
export function contradictionsOfDocument(scopeKey: string, generation: string, seq: string): string {
  const side = (name: string) =>
    `select status from contradictions c where c.scope_key = ${scopeKey} and c.generation = ${generation}
        and c.origin = 'detected' and c.${name} = ${seq}`;
  return `select (count(*) filter (where status = 'open'))::float8 as open,
            (count(*) filter (where status = 'left_out'))::float8 as left_out
       from (${side('seq_a')} union all ${side('seq_b')}) of_document`;
}

const COUNT_OF_DOCUMENT = prepared('count_contradictions_of_document', contradictionsOfDocument('$1', '$2', '$3'));

export async function countContradictionsOfDocument(
  db: Queryable,
  scope: ScopeHandle,
  seq: number,
): Promise<{ open: number; left_out: number }> {
  const { scope_key, generation } = scope;
  const { rows } = await db.query<{ open: number; left_out: number }>(COUNT_OF_DOCUMENT, [scope_key, generation, seq]);
  return rows[0] as (typeof rows)[number];
}

export interface ListedDocument extends DocumentRow, Listed {
  /** Not to be seen: it is deleted, and only its row is still there. */
  is_purged: boolean;
}

/**
 * In order of seq, from after one on, of one state or of all; fewer than the limit where they are large. Rows that are not to be
 * seen are among them: there may be a hundred thousand of them in a row, and whoever asks for a page would read past them all.
 */
export async function listDocuments(
  db: Queryable,
  scope: ScopeHandle,
  state: DocumentState | null,
  after: number,
  limit: number,
): Promise<ListedDocument[]> {
  const page = (condition: string) =>
    `(select documents.*, claimed, claimed_at, ready_at from documents ${LANE}
       where scope_key = $1 and generation = $2 and seq > $3 ${condition} order by seq limit $4)`;
  const pages = state ? STORED_AS[state].map((stored) => page(conditionFor(state, stored))) : [page('')];
  // The page is cut before its contents are joined: free to choose, Postgres may join and sort a whole scope.
  const cut = `select ${ROW}, version >= ${firstPurged('$1', '$2', 'documents.document_id')} as is_purged
       from (select * from (${pages.join(' union all ')}) pages order by seq limit $4) documents
       join document_contents using (scope_key, generation, seq)`;
  const { rows } = await db.query<ListedDocument>(withinBytes(cut, { select: '*', order: 'seq', bytes: BYTES }), [
    scope.scope_key,
    scope.generation,
    after,
    limit,
  ]);
  return rows;
}

function conditionFor(state: DocumentState, stored: StoredState): string {
  const inWork = state === 'processing' ? `and ${IN_WORK}` : state === 'queued' ? `and not ${IN_WORK}` : '';
  // Found by its place in the lane, or a long queue would have to be read for the few that are in work.
  const few = state === 'processing' ? 'and seq in (select unnest(claimed) from lanes where scope_key = $1)' : '';
  return `and state = '${stored}' ${inWork} ${few}`;
}
