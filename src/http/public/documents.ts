/** POST /api/documents, GET and DELETE /api/documents/{document_id}, and the list of a scope. */
import { Type } from '@sinclair/typebox';
import {
  IdempotencyKeyHeader,
  ScopePath,
  TenantIdHeader,
  TenantKeyHeader,
  TraceparentHeader,
} from '../../contract/common.ts';
import {
  CreateDocumentBody,
  Document,
  DocumentList,
  DocumentListQuery,
  DocumentPath,
  DocumentQuery,
  InScopeQuery,
  StoredDocument,
} from '../../contract/documents.ts';
import { deleteDocument } from '../../domain/document-deletion.ts';
import { getDocument, listDocuments } from '../../domain/documents.ts';
import { deedOf } from '../audits.ts';
import { changeAsTenant, postAsTenant, readAsTenant, tenantOf, waitAsTenant } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { DOCUMENT_BODY_LIMIT, MARKS, markAnswer, toStoredDocument, toSubmission } from '../document-answers.ts';
import { answerWaiting } from '../waiting.ts';

const tags = ['documents'];

export function mountDocuments(app: App, deps: Deps): void {
  const { db, accepter } = deps;

  app.post(
    '/documents',
    {
      config: {
        errors: ['unauthorized', 'conflict', 'idempotency_key_reused', 'too_many_requests'],
        headers: { 201: MARKS },
        audits: 'nothing',
      },
      bodyLimit: DOCUMENT_BODY_LIMIT,
      onRequest: postAsTenant(deps),
      schema: {
        operationId: 'createDocument',
        summary: 'Store a document without queueing it',
        description:
          'Of a document that is there already, `state` says what became of it only with a tenant key that may read.',
        tags,
        headers: Type.Object({ ...TenantIdHeader.properties, ...IdempotencyKeyHeader, ...TraceparentHeader }),
        body: CreateDocumentBody,
        response: { 201: StoredDocument },
      },
    },
    async (request, reply) => {
      const submission = toSubmission('documents', request, request.body.scope_id, request.body);
      const acceptance = await accepter.accept(submission);
      markAnswer(reply, acceptance);
      return reply.code(201).send(toStoredDocument(acceptance, submission));
    },
  );

  const schema = { tags, headers: TenantKeyHeader, params: DocumentPath, querystring: InScopeQuery };

  app.get(
    '/documents/:document_id',
    {
      // For operators it is in admin/document-life.ts.
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], boundsItself: true },
      onRequest: waitAsTenant(deps),
      schema: {
        ...schema,
        querystring: DocumentQuery,
        operationId: 'getDocument',
        summary: 'Read the state of the newest version of a document',
        description:
          'What became of it: its state, its attempts and the error of the last one, how many claims were found, ' +
          'and what is known to contradict it. With `wait`, the answer comes when the version that is newest now is ' +
          'processed, failed or superseded, and is about that version; of one that is pending it comes at once.',
        response: { 200: Document },
      },
    },
    (request, reply) => {
      const { scope_id } = request.query;
      const { document_id } = request.params;
      return answerWaiting(deps, request, reply, {
        now: () => getDocument(db, tenantOf(request), scope_id, document_id),
        later: (waiters, waiting) => waiters.document(waiting, scope_id, document_id),
      });
    },
  );

  app.get(
    '/scopes/:scopeId/documents',
    {
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], forOperators: 'reads' },
      onRequest: readAsTenant(deps),
      schema: {
        tags,
        headers: TenantKeyHeader,
        params: ScopePath,
        querystring: DocumentListQuery,
        operationId: 'listOwnDocuments',
        summary: 'List the documents of a scope in order of seq',
        description: 'Every version is a row of its own. Pass `next_cursor` as `cursor` until it is null.',
        response: { 200: DocumentList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listDocuments(db, tenantOf(request), request.params.scopeId, request.query);
      return { documents: items, next_cursor };
    },
  );

  app.delete(
    '/documents/:document_id',
    {
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], audits: 'document.deleted' },
      onRequest: changeAsTenant(deps, 'delete'),
      schema: {
        ...schema,
        operationId: 'deleteDocument',
        summary: 'Erase a document: every version, its text, and the idempotency keys bound to it',
        description:
          'It is out of sight at once, with its claims and the contradictions found in them. Its seqs are not ' +
          'given again.',
        response: { 204: Type.Null({ description: 'Erased' }) },
      },
    },
    async (request, reply) => {
      const { scope_id } = request.query;
      await deleteDocument(db, tenantOf(request), scope_id, request.params.document_id, deedOf(request));
      return reply.code(204).send(null);
    },
  );
}
