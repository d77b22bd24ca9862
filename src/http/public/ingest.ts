/** POST /api/ingest: the path that every tenant meets on every call. */
import { Type } from '@sinclair/typebox';
import { IdempotencyKeyHeader, TenantIdHeader, TraceparentHeader } from '../../contract/common.ts';
import { IngestDocumentRequest, IngestDocumentResponse } from '../../contract/documents.ts';
import { postAsTenant } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { DOCUMENT_BODY_LIMIT, MARKS, markAnswer, toIngestResponse, toSubmission } from '../document-answers.ts';

export function mountIngest(app: App, deps: Deps): void {
  app.post(
    '/ingest',
    {
      config: {
        errors: ['unauthorized', 'conflict', 'idempotency_key_reused', 'too_many_requests'],
        headers: { 202: MARKS },
        boundsItself: true,
        audits: 'nothing',
      },
      bodyLimit: DOCUMENT_BODY_LIMIT,
      onRequest: postAsTenant(deps),
      schema: {
        operationId: 'ingestDocument',
        summary: 'Queue a document for processing',
        description:
          'It is stored before the answer. The same document_id with the same content is the same document; with other ' +
          'content it is a new version. The same idempotency_key with the same request gives the first answer again.',
        tags: ['documents'],
        headers: Type.Object({ ...TenantIdHeader.properties, ...IdempotencyKeyHeader, ...TraceparentHeader }),
        body: IngestDocumentRequest,
        response: { 202: IngestDocumentResponse },
      },
    },
    async (request, reply) => {
      const submission = toSubmission('ingest', request, request.body.scope_id, request.body);
      const acceptance = await deps.accepter.accept(submission, request.waitedMs);
      markAnswer(reply, acceptance);
      reply.code(202);
      return toIngestResponse(acceptance, submission);
    },
  );
}
