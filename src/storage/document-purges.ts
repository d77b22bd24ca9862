/** The document_purges table: versions of deleted documents that are out of sight, and are not removed yet. */
import type { Queryable } from './database.ts';
import type { ScopeHandle } from './scopes.ts';

type Place = Pick<ScopeHandle, 'scope_key' | 'generation'>;

export interface DocumentPurge extends Place {
  document_id: string;
  from_version: number;
  up_to_version: number;
}

const COLUMNS = 'scope_key, generation, document_id, from_version, up_to_version';
const ITS_KEY = 'scope_key = $1 and generation = $2 and document_id = $3';
const keyOf = ({ scope_key, generation, document_id }: Omit<DocumentPurge, 'from_version' | 'up_to_version'>) => [
  scope_key,
  generation,
  document_id,
];

/**
 * Of a document, given by parameters or by columns with the names of their tables: the first version that is not to be seen. It is
 * a subquery and no join, since Postgres knows nothing of a table that is nearly always empty, and could sort a whole scope for
 * one page of it.
 */
export const firstPurged = (scopeKey: string, generation: string, documentId: string): string =>
  `coalesce((select purge.from_version from document_purges purge
     where purge.scope_key = ${scopeKey} and purge.generation = ${generation} and purge.document_id = ${documentId}), 2147483647)`;

/** Hides all versions of a document up to one, in a scope that the transaction has locked. */
export async function insertDocumentPurge(
  tx: Queryable,
  { scope_key, generation }: Place,
  documentId: string,
  upToVersion: number,
): Promise<void> {
  await tx.query(
    `insert into document_purges as purge (${COLUMNS}) values ($1, $2, $3, 1, $4)
     on conflict (scope_key, generation, document_id) do update
        set from_version = 1, up_to_version = greatest(purge.up_to_version, excluded.up_to_version)`,
    [scope_key, generation, documentId, upToVersion],
  );
}

/**
 * Takes the one that waits longest; nobody else takes it before this transaction ends. What a crash undoes of it is purged again,
 * so that nobody has to wait for the disk.
 */
export async function takeDocumentPurge(tx: Queryable): Promise<DocumentPurge | null> {
  await tx.query(`select set_config('synchronous_commit', 'off', true)`);
  const { rows } = await tx.query<DocumentPurge>(
    `select ${COLUMNS} from document_purges order by since limit 1 for update skip locked`,
  );
  return rows[0] ?? null;
}

/** Takes those that hide a version which is to be stored. */
export async function takeDocumentPurgesInTheWay(
  tx: Queryable,
  documents: (Place & { document_id: string; version: number })[],
): Promise<(DocumentPurge & { wanted: number })[]> {
  const { rows } = await tx.query<DocumentPurge & { wanted: number }>(
    `select ${COLUMNS}, wanted
       from unnest($1::bigint[], $2::int[], $3::text[], $4::int[]) as item (scope_key, generation, document_id, wanted)
       join document_purges purge using (scope_key, generation, document_id)
      where from_version <= wanted order by scope_key, document_id for update of purge`,
    [
      documents.map(({ scope_key }) => scope_key),
      documents.map(({ generation }) => generation),
      documents.map(({ document_id }) => document_id),
      documents.map(({ version }) => version),
    ],
  );
  return rows;
}

/** The next versions to go, the oldest first. */
export async function listPurgedVersions(
  tx: Queryable,
  purge: DocumentPurge,
  most: number,
): Promise<{ version: number; seq: number }[]> {
  const { rows } = await tx.query<{ version: number; seq: number }>(
    `select version, seq::float8 as seq from documents
      where ${ITS_KEY} and version between $4 and $5 order by version limit $6`,
    [...keyOf(purge), purge.from_version, purge.up_to_version, most],
  );
  return rows;
}

export async function updateDocumentPurge(tx: Queryable, purge: DocumentPurge, fromVersion: number): Promise<void> {
  await tx.query(`update document_purges set from_version = $4 where ${ITS_KEY}`, [...keyOf(purge), fromVersion]);
}

export async function deleteDocumentPurge(tx: Queryable, purge: DocumentPurge): Promise<void> {
  await tx.query(`delete from document_purges where ${ITS_KEY}`, keyOf(purge));
}
