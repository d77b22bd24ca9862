/** Accepting new documents, as many as are sent at once: one statement, and how to find out what became of it. */
import type { EventType } from '../contract/events.ts';
import { booleanArray, intArray, textArray } from './array-params.ts';
import type { Database, PreparedStatement, Queryable } from './database.ts';
import type { NewDocument } from './documents.ts';

/** A scope of a flush, and its place among them, from 1. */
export interface NewInScope {
  at: number;
  tenant_id: string;
  scope_id: string;
}

export interface NewRow extends Omit<NewDocument, 'scope_key' | 'generation' | 'seq' | 'version'> {
  /** The place of its scope. */
  at: number;
  /** How many of its scope come before it. */
  nth: number;
  /** The caller chose its id: it may be there already. */
  named: boolean;
  /** What the log is told of it. */
  event: EventType;
  key: string | null;
  /** In base64. */
  fingerprint: string | null;
}

export interface NewDocuments {
  wanted: NewInScope[];
  rows: NewRow[];
}

export interface Placed {
  /** Of each row; null for what was there already, or whose scope is locked or not there. */
  seqs: (number | null)[];
  /** By the places of the scopes. */
  awakened: boolean[];
  locked: boolean[];
}

const ACCEPT: PreparedStatement = {
  name: 'accept_new_documents_traced',
  text: `select seqs, awakened, locked from accept_new_documents_traced(
    tenant_ids => $1, scope_ids => $2, places => $3, nths => $4, ids => $5, chosen => $6, states => $7, event_types => $8,
    hashes => $9, keys => $10, fingerprints => $11, names => $12, types => $13, sources => $14, provenances => $15,
    texts => $16, traces => $17, patience_ms => $18)`,
};

/**
 * Accepts those that are not there yet, and whose scopes are there and not locked by others for longer than this, in one
 * round trip.
 */
export async function insertNewDocumentsAcrossTenants(
  db: Database,
  documents: NewDocuments,
  patienceMs: number,
): Promise<Placed> {
  const { wanted, rows } = documents;
  const values = [
    textArray(wanted, ({ tenant_id }) => tenant_id),
    textArray(wanted, ({ scope_id }) => scope_id),
    intArray(rows, ({ at }) => at),
    intArray(rows, ({ nth }) => nth),
    textArray(rows, ({ document_id }) => document_id),
    booleanArray(rows, ({ named }) => named),
    textArray(rows, ({ state }) => state),
    textArray(rows, ({ event }) => event),
    textArray(rows, ({ content_sha256 }) => content_sha256),
    textArray(rows, ({ key }) => key),
    textArray(rows, ({ fingerprint }) => fingerprint),
    textArray(rows, ({ name }) => name),
    textArray(rows, ({ type }) => type),
    textArray(rows, ({ source }) => source),
    textArray(rows, ({ provenance }) => provenance),
    textArray(rows, ({ text }) => text),
    // Hardly anybody sends one: then there is no array to be made and read.
    rows.some(({ traceparent }) => traceparent !== null) ? textArray(rows, ({ traceparent }) => traceparent) : null,
    patienceMs,
  ];
  const [placed] = await db.once<Placed>(ACCEPT, values, () => readPlacesBack(db, documents));
  return placed as Placed;
}

/**
 * Where the documents of a flush are, if it was committed. By an id that the caller chose nobody can tell who stored it; but
 * its only version with the same content, under the same key, is what we would have stored, and is as good.
 */
async function readPlacesBack(db: Queryable, { wanted, rows }: NewDocuments): Promise<Placed[] | null> {
  const { rows: found } = await db.query<{ n: number; seq: number }>(
    `select n, d.seq::float8 as seq
       from json_to_recordset($1::json) as w (n int, tenant_id text, scope_id text, document_id text, named boolean,
              key text, fingerprint text, state text, content_sha256 text)
       join scopes s using (tenant_id, scope_id)
      cross join lateral (
        select * from documents d
         where d.scope_key = s.scope_key and d.generation = s.generation and d.document_id = w.document_id
         order by version desc limit 1) d
      where not named or (
            d.version = 1 and d.content_sha256 = decode(w.content_sha256, 'base64')
        and (d.state = w.state or (w.state = 'queued' and d.state in ('retrying', 'processed')))
        and (key is null or (
              select true from idempotency_keys k
               where k.tenant_id = w.tenant_id and k.idempotency_key = key and k.scope_key = s.scope_key
                 and k.generation = s.generation and k.seq = d.seq
                 and k.fingerprint = decode(w.fingerprint, 'base64')) is not null))`,
    [JSON.stringify(rows.map(({ text: _, ...row }, n) => ({ ...(wanted[row.at - 1] as NewInScope), ...row, n })))],
  );
  const seqs = new Map(found.map(({ n, seq }) => [n, seq]));
  // Those that nobody else can have brought are there if anything is.
  const own = rows.flatMap(({ named, key }, n) => (named || key !== null ? [] : [n]));
  if (own.length > 0 && !own.some((n) => seqs.has(n))) return null;
  const each = (value: boolean) => wanted.map(() => value);
  return [{ seqs: rows.map((_, n) => seqs.get(n) ?? null), awakened: each(true), locked: each(false) }];
}
