/** POST /api/ingest and /api/ingest/batch: the path that every tenant meets on every call. */
import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { TenantIdHeader } from '../../contract/common.ts';
import {
  IngestBatchRequest,
  IngestBatchResponse,
  IngestDocumentRequest,
  IngestDocumentResponse,
} from '../../contract/documents.ts';
import { AppError } from '../../errors.ts';
import { postAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { DOCUMENT_BODY_LIMIT, markReplay, toIngestResponse, toSubmission } from '../document-answers.ts';
import { giveWay } from '../give-way.ts';
import { errorStatus, toAppError, toProblem } from '../problem.ts';
import { findUnstorable, unstorable } from '../storable.ts';

const tags = ['documents'];
/** A hundred ordinary documents; a hundred of the longest have to come in several requests. */
const BATCH_BODY_LIMIT = 8 * 1024 * 1024;

type BatchResult = Static<typeof IngestBatchResponse>['results'][number];

export function mountIngest(app: App, deps: Deps): void {
  const { accepter, admission } = deps;
  const onRequest = postAsTenant(deps);

  const ingest = (request: FastifyRequest, body: Static<typeof IngestDocumentRequest>) =>
    accepter.accept(toSubmission('ingest', request, body.scope_id, body), request.waitedMs);

  app.post(
    '/ingest',
    {
      config: {
        errors: ['unauthorized', 'conflict', 'idempotency_key_reused', 'too_many_requests'],
        boundsItself: true,
      },
      bodyLimit: DOCUMENT_BODY_LIMIT,
      onRequest,
      schema: {
        operationId: 'ingestDocument',
        summary: 'Queue a document for processing',
        description:
          'It is stored before the answer. The same document_id with the same content is the same document; with other ' +
          'content it is a new version. The same idempotency_key with the same request gives the first answer again.',
        tags,
        headers: TenantIdHeader,
        body: IngestDocumentRequest,
        response: { 202: IngestDocumentResponse },
      },
    },
    async (request, reply) => {
      const acceptance = await ingest(request, request.body);
      markReplay(reply, acceptance);
      reply.code(202);
      return toIngestResponse(acceptance, request.body.idempotency_key ?? null);
    },
  );

  app.post(
    '/ingest/batch',
    {
      config: { errors: ['unauthorized', 'too_many_requests'], checksItems: true },
      bodyLimit: BATCH_BODY_LIMIT,
      onRequest,
      schema: {
        operationId: 'ingestBatch',
        summary: 'Queue up to 100 documents; each has a result of its own',
        tags,
        headers: TenantIdHeader,
        body: IngestBatchRequest,
        response: { 202: IngestBatchResponse },
      },
    },
    async (request, reply) => {
      const { documents } = request.body;
      await admission.admitMore(tenantOf(request), documents.length - 1);
      const results: Promise<BatchResult>[] = [];
      for (const item of documents) {
        await giveWay();
        results.push(ingestItem(request, item));
      }
      reply.code(202);
      return { results: await Promise.all(results) };
    },
  );

  async function ingestItem(request: FastifyRequest, item: unknown): Promise<BatchResult> {
    try {
      checkItem(request, item);
      const acceptance = await ingest(request, item);
      return { status: 202, document: toIngestResponse(acceptance, item.idempotency_key ?? null) };
    } catch (error) {
      const appError = toAppError(error);
      if (appError.code === 'internal') request.log.error({ err: appError.cause }, appError.message);
      return { status: errorStatus[appError.code], error: toProblem(appError, request.id) };
    }
  }
}

/** What the framework does for a body, for one item of it. */
function checkItem(request: FastifyRequest, item: unknown): asserts item is Static<typeof IngestDocumentRequest> {
  if (item instanceof AppError) throw item;
  const validate =
    request.getValidationFunction(IngestDocumentRequest) ??
    request.compileValidationSchema(IngestDocumentRequest, 'body');
  if (!validate(item)) throw Object.assign(new Error(), { validation: validate.errors, validationContext: 'body' });
  const path = request.bodyHasEscapes ? findUnstorable(item) : null;
  if (path) throw unstorable(path);
}
