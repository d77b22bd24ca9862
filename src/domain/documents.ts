/** Documents after they were accepted: read, listed, deleted. Accepting them is `accept/`. */
import type { DocumentState } from '../contract/documents.ts';
import { AppError, notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import { type Database, type Queryable, updateLockTimeout } from '../storage/database.ts';
import * as storage from '../storage/documents.ts';
import { deleteLane } from '../storage/lanes.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { lockScope, requireScope } from './scopes.ts';
import { forgetVersions } from './settle/forget.ts';

export async function getDocument(db: Queryable, tenantId: string, scopeId: string, documentId: string) {
  const scope = await requireScope(db, tenantId, scopeId);
  const document = await storage.findDocument(db, scope, documentId);
  if (!document) throw notFound(`Document ${documentId} in scope ${scopeId}`);
  const contradictions = await storage.countContradictionsOfDocument(db, scope, document.seq);
  return { scope_id: scopeId, ...document, contradictions };
}

export async function listDocuments(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  { cursor, limit, state }: Page & { state?: DocumentState },
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const after = Number(decodeCursor(cursor, /^\d{1,15}$/, '-1'));
  const rows = await storage.listDocuments(db, scope, state ?? null, after, limit + 1);
  return toPage(rows, limit, (document) => String(document.seq));
}

/** So few at a time that nobody who posts to the scope waits long for its lock. */
const PIECE = 500;
/** Then the caller is told to come back: what is erased stays erased. */
const PATIENCE_MS = 10_000;
/** For a scope that somebody else has locked: few may delete at once, and the others of them wait for this one. */
const LOCK_PATIENCE_MS = 2000;

/**
 * Every version, with its text, its claims, the contradictions found in them and its idempotency keys. Its seqs are not given
 * again. The oldest versions go first: whatever comes in between, the newest one left is the newest there was.
 */
export async function deleteDocument(
  db: Database,
  tenantId: string,
  scopeId: string,
  documentId: string,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let erased = 0; ; ) {
    const { versions, more } = await deletePiece(db, { tenant_id: tenantId, scope_id: scopeId }, documentId, erased);
    // Only the first look can tell: later on, somebody else may have erased the rest.
    if (erased + versions === 0) throw notFound(`Document ${documentId} in scope ${scopeId}`);
    if (!more) return;
    erased += versions;
    if (performance.now() > deadline) {
      const detail = `${erased} versions of the document are erased, and there are more; send the same again.`;
      throw new AppError('unavailable', detail, { retryAfterSeconds: 1 });
    }
  }
}

function deletePiece(
  db: Database,
  of: { tenant_id: string; scope_id: string },
  documentId: string,
  erasedBefore: number,
): Promise<{ versions: number; more: boolean }> {
  return db.transaction(async (tx) => {
    await updateLockTimeout(tx, LOCK_PATIENCE_MS);
    const scope = await lockScope(tx, of.tenant_id, of.scope_id);
    const { versions, more } = await storage.listOldestVersions(tx, scope, documentId, PIECE);
    if (versions.length === 0) return { versions: 0, more };
    const { waiting, events } = await forgetVersions(tx, scope, versions);
    if (waiting === 0) await deleteLane(tx, scope.scope_key);
    const payload = { document_id: documentId, versions: erasedBefore + versions.length };
    if (!more) events.unshift({ type: 'document.deleted', ...of, payload });
    if (events.length > 0) await appendEvents(tx, events);
    return { versions: versions.length, more };
  });
}
