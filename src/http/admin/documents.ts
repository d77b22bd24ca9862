/** The documents of a scope, for operators: POST and GET /admin/scopes/{scopeId}/documents. */
import { Type } from '@sinclair/typebox';
import { IdempotencyKeyHeader, ScopePath, TenantKeyHeader, TraceparentHeader } from '../../contract/common.ts';
import { AttachDocumentBody, DocumentList, DocumentListQuery, StoredDocument } from '../../contract/documents.ts';
import { listDocuments } from '../../domain/documents.ts';
import { actForTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { DOCUMENT_BODY_LIMIT, MARKS, markAnswer, toStoredDocument, toSubmission } from '../document-answers.ts';

const tags = ['documents'];

export function mountDocuments(app: App, { db, keyring, accepter }: Deps): void {
  app.post(
    '/scopes/:scopeId/documents',
    {
      config: { errors: ['conflict', 'idempotency_key_reused'], headers: { 201: MARKS }, audits: 'nothing' },
      bodyLimit: DOCUMENT_BODY_LIMIT,
      onRequest: actForTenant(keyring, 'ingest'),
      schema: {
        operationId: 'attachDocument',
        summary: 'Store a document in a scope without queueing it',
        description: 'As POST /api/documents, with a text. POST …/ingest queues it.',
        tags,
        headers: Type.Object({ ...TenantKeyHeader.properties, ...IdempotencyKeyHeader, ...TraceparentHeader }),
        params: ScopePath,
        body: AttachDocumentBody,
        response: { 201: StoredDocument },
      },
    },
    async (request, reply) => {
      const submission = toSubmission('attach', request, request.params.scopeId, request.body);
      const acceptance = await accepter.accept(submission);
      markAnswer(reply, acceptance);
      return reply.code(201).send(toStoredDocument(acceptance, submission));
    },
  );

  app.get(
    '/scopes/:scopeId/documents',
    {
      config: { errors: ['not_found'] },
      onRequest: actForTenant(keyring, 'read'),
      schema: {
        operationId: 'listDocuments',
        summary: 'List the documents of a scope in order of seq',
        description: 'Every version is a row of its own. Pass `next_cursor` as `cursor` until it is null.',
        tags,
        headers: TenantKeyHeader,
        params: ScopePath,
        querystring: DocumentListQuery,
        response: { 200: DocumentList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listDocuments(db, tenantOf(request), request.params.scopeId, request.query);
      return { documents: items, next_cursor };
    },
  );
}
