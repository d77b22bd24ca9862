/** Documents after they were accepted: read and listed. Accepting them is `accept/`, deleting them `document-deletion.ts`. */
import type { DocumentState } from '../contract/documents.ts';
import { notFound } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import * as versions from '../storage/document-versions.ts';
import * as storage from '../storage/documents.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { requireScope } from './scopes.ts';

export async function getDocument(db: Queryable, tenantId: string, scopeId: string, documentId: string) {
  const scope = await requireScope(db, tenantId, scopeId);
  const document = await storage.findDocument(db, scope, documentId);
  if (!document) throw notFound(`Document ${documentId} in scope ${scopeId}`);
  const { open, left_out } = await storage.countContradictionsOfDocument(db, scope, document.seq);
  return { scope_id: scopeId, ...document, contradictions: open, contradictions_left_out: left_out };
}

/** What became of each version, the newest first. */
export async function listVersions(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  documentId: string,
  { cursor, limit }: Page,
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const below = Number(decodeCursor('versions', cursor, /^\d{1,15}$/, '999999999999999'));
  const rows = await versions.listVersions(db, scope, documentId, below, limit + 1);
  const { items, next_cursor } = toPage('versions', rows, limit, ({ version }) => String(version));
  return { versions: items, next_cursor };
}

/**
 * The text of a version as it was sent, the newest unless another is asked for; nothing of it for who has it already. When it is
 * noted who reads it, nobody does before that is stored.
 */
export async function getText(
  db: Queryable,
  tenantId: string,
  { scopeId, documentId, version }: { scopeId: string; documentId: string; version?: number | undefined },
  isKnown: (tag: string) => boolean,
  deed: Deed | null,
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const of = `document ${documentId} in scope ${scopeId}`;
  const missing = () => notFound(version === undefined ? `D${of.slice(1)}` : `Version ${version} of ${of}`);
  const found = await storage.findVersion(db, scope, documentId, version ?? null);
  if (!found) throw missing();
  // The number alone would not do: a document that comes again after it was deleted begins with 1.
  const tag = `${found.version}-${found.content_sha256}`;
  if (isKnown(tag)) return { tag, content: null };
  const content = await storage.findText(db, scope, found.seq);
  if (!content) throw missing();
  if (deed) {
    const of = { tenant_id: tenantId, scope_id: scopeId, subject: documentId };
    await noteDeeds(db, deed, { action: 'document.text_read', ...of, after: { version: found.version } });
  }
  return { tag, content: { document_id: documentId, version: found.version, ...content } };
}

export async function listDocuments(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  { cursor, limit, state }: Page & { state?: DocumentState },
) {
  const scope = await requireScope(db, tenantId, scopeId);
  const after = Number(decodeCursor('documents', cursor, /^\d{1,15}$/, '-1'));
  const rows = await storage.listDocuments(db, scope, state ?? null, after, limit + 1);
  const { items, next_cursor } = toPage('documents', rows, limit, (document) => String(document.seq));
  return { items: items.filter(({ is_purged }) => !is_purged), next_cursor };
}
