/** POST /api/ingest/batch: up to a hundred documents, each with a result of its own. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { TenantIdHeader, TraceparentHeader } from '../../contract/common.ts';
import {
  BatchRejected,
  IngestBatchRequest,
  IngestBatchResponse,
  IngestDocumentRequest,
} from '../../contract/documents.ts';
import { requireReachToPost } from '../../domain/access.ts';
import { AppError } from '../../errors.ts';
import { giveWay } from '../../give-way.ts';
import { accessOf } from '../access.ts';
import { postAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { toIngestResponse, toSubmission } from '../document-answers.ts';
import { refuseIdempotencyKey } from '../idempotency-key.ts';
import { errorStatus, toAppError, toProblem } from '../problem.ts';
import { findUnstorable, unstorable } from '../storable.ts';

/** A hundred ordinary documents; a hundred of the longest have to come in several requests. */
const BATCH_BODY_LIMIT = 8 * 1024 * 1024;
/** The first that a document got decides for all: what may go well later is not to be taken for wrong. */
const REJECTED_AS = [503, 429, 500] as const;

interface Result {
  result: Static<typeof IngestBatchResponse>['results'][number];
  retryAfterSeconds: number;
  error: AppError | null;
}

export function mountIngestBatch(app: App, { accepter, admission, ...deps }: Deps): void {
  app.post(
    '/ingest/batch',
    {
      config: {
        errors: ['unauthorized', 'too_many_requests'],
        checksItems: true,
        checksScopes: true,
        audits: 'nothing',
      },
      bodyLimit: BATCH_BODY_LIMIT,
      onRequest: [postAsTenant({ accepter, admission, ...deps }), refuseIdempotencyKey],
      schema: {
        operationId: 'ingestBatch',
        summary: 'Queue up to 100 documents; each has a result of its own',
        description:
          'A document that is wrong does not keep the others out. When none is accepted the answer is a Problem with the ' +
          'results: 503, 429 or 500 if a document got that, and else 400.',
        tags: ['documents'],
        headers: Type.Object({ ...TenantIdHeader.properties, ...TraceparentHeader }),
        body: IngestBatchRequest,
        response: {
          202: IngestBatchResponse,
          400: BatchRejected,
          429: BatchRejected,
          500: BatchRejected,
          503: BatchRejected,
        },
      },
    },
    async (request, reply) => {
      const { documents } = request.body;
      await admission.admitMore(tenantOf(request), documents.length - 1);
      const ingested: Promise<Result>[] = [];
      for (const item of documents) {
        await giveWay();
        ingested.push(ingestItem(request, item));
      }
      const all = await Promise.all(ingested);
      const results = all.map(({ result }) => result);
      const accepted = results.filter(({ status }) => status === 202).length;
      const rejected = results.length - accepted;
      if (accepted > 0) return reply.code(202).send({ results, accepted, rejected });

      const status = REJECTED_AS.find((one) => results.some((result) => result.status === one)) ?? 400;
      const retryAfter = Math.max(...all.map(({ retryAfterSeconds }) => retryAfterSeconds));
      if (retryAfter > 0) reply.header('retry-after', retryAfter);
      const decisive = all.find(({ result }) => result.status === status)?.error;
      if (decisive) deps.figures.refusals.count(decisive);
      const problem = toProblem(new AppError('batch_rejected', REJECTED), request.id);
      return reply.code(status).send({ ...problem, code: 'batch_rejected', status, results, accepted: 0, rejected });
    },
  );

  async function ingestItem(request: FastifyRequest, item: unknown): Promise<Result> {
    try {
      checkItem(request, item);
      requireReachToPost(accessOf(request), item.scope_id);
      const submission = toSubmission('ingest', request, item.scope_id, item);
      const acceptance = await accepter.accept(submission, request.waitedMs);
      const result = { status: 202, document: toIngestResponse(acceptance, submission) };
      return { result, retryAfterSeconds: 0, error: null };
    } catch (error) {
      const appError = toAppError(error);
      if (appError.code === 'internal') request.log.error({ err: appError.cause }, appError.message);
      const result = { status: errorStatus[appError.code], error: toProblem(appError, request.id) };
      return { result, retryAfterSeconds: appError.retryAfterSeconds ?? 0, error: appError };
    }
  }
}

const REJECTED = 'None of the documents was accepted; `results` says why of each of them.';

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
