/** Removes versions of deleted documents that are out of sight already: in pieces, and where a new document takes their numbers. */
import type { Queryable } from '../storage/database.ts';
import {
  type DocumentPurge,
  deleteDocumentPurge,
  listPurgedVersions,
  takeDocumentPurge,
  takeDocumentPurgesInTheWay,
  updateDocumentPurge,
} from '../storage/document-purges.ts';
import { deleteVersions } from '../storage/document-versions.ts';
import type { NewDocument } from '../storage/documents.ts';

/**
 * One piece of one document; true when there may be more. The scope is not locked for it: only whoever posts the document again
 * waits for the piece.
 */
export async function purgeDocument(tx: Queryable, piece: number): Promise<boolean> {
  const purge = await takeDocumentPurge(tx);
  if (!purge) return false;
  const last = await purgeVersions(tx, purge, piece);
  if (last === null) await deleteDocumentPurge(tx, purge);
  else await updateDocumentPurge(tx, purge, last + 1);
  return true;
}

/** For new versions, in scopes that the transaction has locked: a number may still be taken by a version that was deleted. */
export async function makeRoom(
  tx: Queryable,
  documents: Pick<NewDocument, 'scope_key' | 'generation' | 'document_id' | 'version'>[],
): Promise<void> {
  for (const { wanted, ...purge } of await takeDocumentPurgesInTheWay(tx, documents)) {
    // The version before it is visible, so that only its own number can be hidden.
    await purgeVersions(tx, { ...purge, up_to_version: wanted }, 1);
    await updateDocumentPurge(tx, purge, wanted + 1);
  }
}

/** The last version that went; null when none is left. */
async function purgeVersions(tx: Queryable, purge: DocumentPurge, most: number): Promise<number | null> {
  const versions = await listPurgedVersions(tx, purge, most);
  const seqs = versions.map(({ seq }) => seq);
  if (seqs.length > 0) await deleteVersions(tx, purge, seqs);
  return versions.at(-1)?.version ?? null;
}
