/** The client of a tenant: a method for each route under /api, and what one makes of several. */
import type * as Api from './api-types.ts';
import { ConflictError, NotFoundError } from './errors.ts';
import { type DocketEvent, type EventsOptions, follow } from './events.ts';
import { type ExportLine, type ExportOptions, exportBytes, exportLines } from './export.ts';
import { type DocumentLine, type IngestManyOptions, ingestMany, type LineAnswer } from './ingest-many.ts';
import { newKey } from './keys.ts';
import { placeOf, Reading } from './reading.ts';
import type { RetryOptions } from './retries.ts';
import { type CallOptions, Transport } from './transport.ts';
import { type WaitOptions, waitForDocument, waitForScope } from './wait.ts';

export interface DocketOptions {
  /** Where the service is, such as `https://docket.example.com`. */
  url: string;
  tenantId: string;
  /** A key of the tenant. Posting needs none, unless the service is told to require it. */
  key?: string | undefined;
  /** In place of the platform's own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often in a row something is tried again of which nothing came; 8 unless it is said, which is half a minute or so. */
  maxRetries?: number | undefined;
  /** The first pause before that; each is twice as long as the one before, up to ten seconds. 250 unless it is said. */
  retryMs?: number | undefined;
  /** After so long without an answer an attempt has failed; 60,000 unless it is said. */
  timeoutMs?: number | undefined;
}

export class Docket extends Reading {
  readonly #retry: RetryOptions;

  constructor({ url, tenantId, key, fetch, maxRetries = 8, retryMs = 250, timeoutMs = 60_000 }: DocketOptions) {
    const retry = { maxRetries, retryMs };
    super(
      new Transport({
        ...retry,
        url,
        timeoutMs,
        headers: { 'x-tenant-id': tenantId, ...(key !== undefined && { 'x-tenant-api-key': key }) },
        // Called by its name: a browser's own must not be called as a method of something else.
        fetch: fetch ?? ((...args) => globalThis.fetch(...args)),
      }),
    );
    this.#retry = retry;
  }

  health(options?: CallOptions): Promise<Api.HealthResponse> {
    return this.transport.call('GET /api/health', {}, options);
  }

  /** Stored when it resolves. Sent under an idempotency key, made here if it has none: sent again, it is not stored twice. */
  ingest(document: Api.IngestDocumentRequest, options?: CallOptions): Promise<Api.IngestDocumentResponse> {
    return this.transport.call('POST /api/ingest', { body: keyed(document) }, options);
  }

  /** Up to 100 at once. One that is wrong has its error in the results; when all are, that is thrown. */
  ingestBatch(documents: Api.IngestDocumentRequest[], options?: CallOptions): Promise<Api.IngestBatchResponse> {
    return this.transport.call('POST /api/ingest/batch', { body: { documents: documents.map(keyed) } }, options);
  }

  /** Any number, as they come: reads no faster than the answers are taken, and gives one for each, in order. */
  ingestMany(
    documents: AsyncIterable<DocumentLine> | Iterable<DocumentLine>,
    options: IngestManyOptions = {},
  ): AsyncGenerator<LineAnswer> {
    return ingestMany(this.transport, documents, options);
  }

  /** Stores a document without queueing it; one without text is an entry of a register. */
  createDocument(document: Api.CreateDocumentBody, options?: CallOptions): Promise<Api.StoredDocument> {
    return this.transport.call('POST /api/documents', { body: keyed(document) }, options);
  }

  /** Until all that the scope has now, or all up to the seq `through`, is done. */
  wait(scopeId: string, options: WaitOptions & { through?: number | undefined } = {}): Promise<Api.ScopeSummary> {
    return waitForScope(this.transport, scopeId, options);
  }

  waitForDocument(scopeId: string, documentId: string, options: WaitOptions = {}): Promise<Api.Document> {
    return waitForDocument(this.transport, scopeId, documentId, options);
  }

  /** Every version of it. */
  async deleteDocument(scopeId: string, documentId: string, options?: CallOptions): Promise<void> {
    try {
      await this.transport.call('DELETE /api/documents/{document_id}', placeOf(scopeId, documentId), options);
    } catch (error) {
      // The attempt before, whose answer was lost, has erased it.
      if (!(error instanceof NotFoundError && error.attempts > 1)) throw error;
    }
  }

  reportContradiction(report: Api.CreateContradictionBody, options?: CallOptions): Promise<Api.Contradiction> {
    return this.transport.call('POST /api/contradictions', { body: report }, options);
  }

  /** One that was decided in just this way is the answer; one that was decided otherwise is a ConflictError. */
  async decide(
    contradictionId: string,
    decision: Api.DecideContradictionRequest,
    options?: CallOptions,
  ): Promise<Api.Contradiction> {
    const input = { path: { contradictionId }, body: decision };
    try {
      return await this.transport.call('PATCH /api/contradictions/{contradictionId}', input, options);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // It may have been decided by the attempt before, whose answer was lost.
      const decided = await this.contradiction(contradictionId, options).catch(() => null);
      if (decided && isDecided(decided, decision)) return decided;
      throw error;
    }
  }

  /** What happens, as it happens, until its signal is given; cut off, it goes on after the last event. */
  events(options: EventsOptions = {}): AsyncGenerator<DocketEvent> {
    return follow(this.transport, this.#retry, options);
  }

  /** For a page, which follows events with it and has no key. */
  streamToken(request: Api.StreamTokenRequest = {}, options?: CallOptions): Promise<Api.StreamToken> {
    return this.transport.call('POST /api/stream-tokens', { body: request }, options);
  }

  /** All that the scope holds, line by line; cut off, it goes on where it was. */
  export(scopeId: string, options: ExportOptions = {}): AsyncGenerator<ExportLine> {
    return exportLines(this.transport, scopeId, options);
  }

  /** The same as the bytes that the service sends, for a file; cut off, it throws. */
  exportBytes(scopeId: string, options: ExportOptions = {}): AsyncGenerator<Uint8Array> {
    return exportBytes(this.transport, scopeId, options);
  }
}

const isDecided = (
  known: Api.Contradiction,
  { status, resolution, resolved_by, upholds }: Api.DecideContradictionRequest,
) =>
  known.status === status &&
  known.resolution === resolution &&
  known.resolved_by === resolved_by &&
  known.upholds === (upholds ?? null);

const keyed = <Document extends { idempotency_key?: string }>(document: Document): Document => ({
  ...document,
  idempotency_key: document.idempotency_key ?? newKey(),
});
