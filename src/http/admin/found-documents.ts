/** Documents of all tenants, for operators: GET /admin/documents, POST /admin/documents/retry. */
import { FoundDocuments, FoundDocumentsQuery, RetryAnswer, RetryRequest } from '../../contract/found-documents.ts';
import { findDocuments } from '../../domain/found-documents.ts';
import { retryDocuments } from '../../domain/retries.ts';
import { deedOf } from '../audits.ts';
import { takeTurnOfOperators, turnsOfOperators } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

const tags = ['documents'];
/** Of 200 documents, each of which has three, beside the other fields. */
const VALUES = 1000;
/** The same, with ids of 200 characters each. */
const BODY_LIMIT = 512 * 1024;

export function mountFoundDocuments(app: App, { db, kernel, reads, changes }: Deps): void {
  app.get(
    '/documents',
    {
      preHandler: takeTurnOfOperators(reads),
      schema: {
        operationId: 'findDocuments',
        summary: 'Find documents of all tenants by what became of them, or by their id',
        description:
          'What has failed in all tenants comes newest first, or error by error; the rest by tenant, scope and seq. A page ' +
          'may be short or empty, since only so much is looked at for it: go on until `next_cursor` is null.',
        tags,
        querystring: FoundDocumentsQuery,
        response: { 200: FoundDocuments },
      },
    },
    (request) => findDocuments(db, request.query),
  );

  app.post(
    '/documents/retry',
    {
      // It stops by itself after 10 s, and says how far it came.
      config: { boundsItself: true, bodyValues: VALUES, audits: 'document.retried' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'retryDocuments',
        summary: 'Queue documents that have failed, of all tenants, by a filter or by their ids',
        description:
          'With all their attempts. It queues as much as it can in 10 s; `complete` says whether that was all.',
        tags,
        body: RetryRequest,
        response: { 200: RetryAnswer },
      },
    },
    (request, reply) =>
      retryDocuments(db, request.body, {
        onQueued: (documents, awakened) => kernel.arrived(documents, awakened),
        inTurn: turnsOfOperators(changes, reply),
        deed: deedOf(request),
      }),
  );
}
