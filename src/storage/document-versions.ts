/** The versions of one document in the documents table: which there are, which are superseded, and which go. */
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import { BYTES, type DocumentRow, LANE, ROW, type StoredState } from './documents.ts';
import { type Listed, withinBytes } from './pages.ts';
import type { ScopeHandle } from './scopes.ts';

export interface StoredVersion {
  version: number;
  seq: number;
  state: StoredState;
  claims: number | null;
}

const VERSIONS = `select version, seq::float8 as seq, state, claims from documents
  where scope_key = $1 and generation = $2 and document_id = $3 and version < ${firstPurged('$1', '$2', '$3')}`;

/** The newest versions of a document, so many at most, the newest first. */
export async function listNewestVersions(
  tx: Queryable,
  scope: ScopeHandle,
  documentId: string,
  most: number,
): Promise<StoredVersion[]> {
  const { rows } = await tx.query<StoredVersion>(`${VERSIONS} order by version desc limit $4`, [
    scope.scope_key,
    scope.generation,
    documentId,
    most,
  ]);
  return rows;
}

/** What became of each version of a document, the newest first, from below one on; fewer than the limit where they are large. */
export async function listVersions(
  db: Queryable,
  scope: ScopeHandle,
  documentId: string,
  below: number,
  limit: number,
): Promise<(DocumentRow & Listed)[]> {
  // As of a list, the page is cut before its contents are joined.
  const page = `select ${ROW} from (
       select documents.*, claimed, claimed_at, ready_at from documents ${LANE}
        where scope_key = $1 and generation = $2 and document_id = $3 and version < $4::bigint
          and version < ${firstPurged('$1', '$2', '$3')} order by version desc limit $5) documents
       join document_contents using (scope_key, generation, seq)`;
  const { rows } = await db.query<DocumentRow & Listed>(
    withinBytes(page, { select: '*', order: 'version desc', bytes: BYTES }),
    [scope.scope_key, scope.generation, documentId, below, limit],
  );
  return rows;
}

/** The oldest version of a document that exists. */
export async function findOldestVersion(tx: Queryable, scope: ScopeHandle, documentId: string): Promise<StoredVersion> {
  const values = [scope.scope_key, scope.generation, documentId];
  const { rows } = await tx.query<StoredVersion>(`${VERSIONS} order by version limit 1`, values);
  return rows[0] as StoredVersion;
}

/** The oldest versions of a document that none has superseded, so many at most, the oldest first; all are newer than `above`. */
export async function listOldestLiveVersions(
  tx: Queryable,
  scope: ScopeHandle,
  documentId: string,
  above: number,
  most: number,
): Promise<StoredVersion[]> {
  const { rows } = await tx.query<StoredVersion>(
    `${VERSIONS} and version > $4 and state <> 'superseded' order by version limit $5`,
    [scope.scope_key, scope.generation, documentId, above, most],
  );
  return rows;
}

/** 0 when there is none. It reads past all that are newer. */
export async function findNewestSuperseded(db: Queryable, scope: ScopeHandle, documentId: string): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `${VERSIONS} and state = 'superseded' order by version desc limit 1`,
    [scope.scope_key, scope.generation, documentId],
  );
  return rows[0]?.version ?? 0;
}

export async function updateVersionsSuperseded(tx: Queryable, scope: ScopeHandle, seqs: number[]): Promise<void> {
  await tx.query(
    `update documents set state = 'superseded', not_before = null, finished_at = now(), claims = null
      where scope_key = $1 and generation = $2 and seq = any ($3)`,
    [scope.scope_key, scope.generation, seqs],
  );
}

/** Erases versions with their text and the keys bound to them. By their seqs: free to join, Postgres may read a whole table. */
export async function deleteVersions(
  tx: Queryable,
  scope: Pick<ScopeHandle, 'scope_key' | 'generation'>,
  seqs: number[],
): Promise<void> {
  for (const table of ['documents', 'document_contents', 'idempotency_keys']) {
    await tx.query(`delete from ${table} where scope_key = $1 and generation = $2 and seq = any ($3)`, [
      scope.scope_key,
      scope.generation,
      seqs,
    ]);
  }
}

/** A version that is not superseded, below one that may be processed now. */
export interface OlderVersion extends StoredVersion {
  document_id: string;
}

/** Of each document the versions below this one that are not superseded, in order. */
export async function listOlderVersions(
  db: Queryable,
  newer: (Pick<ScopeHandle, 'scope_key' | 'generation'> & { document_id: string; version: number })[],
): Promise<OlderVersion[][]> {
  const lists = newer.map((): OlderVersion[] => []);
  if (newer.length === 0) return lists;
  const { rows } = await db.query<{
    found: [nth: number, seq: number, version: number, state: StoredState, claims: number | null][];
  }>('select list_older_versions($1, $2, $3, $4) as found', [
    newer.map(({ scope_key }) => scope_key),
    newer.map(({ generation }) => generation),
    newer.map(({ document_id }) => document_id),
    newer.map(({ version }) => version),
  ]);
  for (const [nth, seq, version, state, claims] of rows[0]?.found ?? []) {
    const { document_id } = newer[nth - 1] as (typeof newer)[number];
    lists[nth - 1]?.push({ document_id, version, seq, state, claims });
  }
  return lists;
}
