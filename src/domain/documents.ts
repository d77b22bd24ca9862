/** Documents after they were accepted: read, listed, deleted. Accepting them is `accept/`. */
import { notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import type { Database, Queryable } from '../storage/database.ts';
import * as storage from '../storage/documents.ts';
import { deleteLane } from '../storage/lanes.ts';
import { deleteReadingsOfDocument } from '../storage/readings.ts';
import { type ScopeChange, updateScopeCounters } from '../storage/scopes.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { lockScope, requireScope } from './scopes.ts';

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
  { cursor, limit, state }: Page & { state?: storage.DocumentState },
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const after = Number(decodeCursor(cursor, /^\d{1,15}$/, '-1'));
  const rows = await storage.listDocuments(db, scope, state ?? null, after, limit + 1);
  return toPage(rows, limit, (document) => String(document.seq));
}

/** Every version, with its text, its claims, the contradictions found in them and its idempotency keys. Its seq is not given again. */
export async function deleteDocument(
  db: Database,
  tenantId: string,
  scopeId: string,
  documentId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const scope = await lockScope(tx, tenantId, scopeId);
    const retracted = await deleteReadingsOfDocument(tx, scope, documentId);
    const states = await storage.deleteDocument(tx, scope, documentId);
    if (states.length === 0) throw notFound(`Document ${documentId} in scope ${scopeId}`);
    const change: ScopeChange = { scope_key: scope.scope_key };
    for (const state of states) change[state] = (change[state] ?? 0) - 1;
    await updateScopeCounters(tx, [change]);
    const waiting = scope.queued + (change.queued ?? 0) + scope.retrying + (change.retrying ?? 0);
    if (waiting === 0) await deleteLane(tx, scope.scope_key);
    const payload = { document_id: documentId, versions: states.length };
    const of = { tenant_id: tenantId, scope_id: scopeId };
    await appendEvents(tx, [
      { type: 'document.deleted', ...of, payload },
      ...retracted.map((gone) => ({ type: 'contradiction.retracted' as const, ...of, payload: gone })),
    ]);
  });
}
