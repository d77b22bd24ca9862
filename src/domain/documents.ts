/** Documents after they were accepted: read and listed. Accepting them is `accept/`, deleting them `document-deletion.ts`. */
import type { DocumentState } from '../contract/documents.ts';
import { notFound } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import * as storage from '../storage/documents.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { requireScope } from './scopes.ts';

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
