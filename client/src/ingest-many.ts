/**
 * Sends any number of documents over POST /api/ingest/stream, in requests of bounded size, one after the other.
 *
 * One request that goes on for ever would be sent only by Node: browsers read no answer before a body is complete, many
 * proxies keep a body until it is, and what was sent of one that was cut off is gone. What is bounded can be sent again.
 */
import type { IngestDocumentRequest, IngestLineAnswer, IngestStreamAnswers } from './api-types.ts';
import { LineReader, parseLine, piecesOf } from './body.ts';
import { Conveyor } from './conveyor.ts';
import { DocketError, isProblem, problemError } from './errors.ts';
import { newKey } from './keys.ts';
import { connectionError, Patience } from './patience.ts';
import { mayPass } from './retries.ts';
import { type CallOptions, pathOf, type Transport } from './transport.ts';

/** A document as `ingest` takes it, or a line of an export. Of those, what is no document is skipped by the service. */
export type DocumentLine =
  | (Omit<IngestDocumentRequest, 'scope_id'> & { scope_id?: string; provenance?: string })
  | { kind: string; idempotency_key?: string };

export interface IngestManyOptions extends CallOptions {
  /** The scope of every line that names none, and of all lines of an export. */
  scopeId?: string | undefined;
  /** Told how many lines were sent so far; those that are sent again count once. */
  onSent?: ((lines: number) => void) | undefined;
  /** How many lines may be read ahead of the answers that were taken; 1,000 unless it is said. */
  window?: number | undefined;
}

/** What became of a line: accepted (`document`), refused (`error`), or no document (`skipped`); in the order in which they were given. */
export type LineAnswer = IngestLineAnswer;

const WINDOW = 1000;
/**
 * Browsers read no answer before all lines of a request are sent, so that all its answers have to fit into what lies between:
 * a thousand with long names might not, and the service would wait for them to be read. Each request costs a round trip and one
 * flush that is not full, which is little beside so many lines.
 */
const BATCH_LINES = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** The service slows down those who are over their limits, and says something now and then. */
const SILENCE_MS = 120_000;

export async function* ingestMany(
  transport: Transport,
  documents: AsyncIterable<DocumentLine> | Iterable<DocumentLine>,
  { scopeId, signal, onSent, window = WINDOW }: IngestManyOptions,
): AsyncGenerator<LineAnswer> {
  const path = pathOf('/api/ingest/stream', {}, { scope_id: scopeId });
  const prefix = newKey();
  let pulled = 0;
  let sent = 0;
  let line = 0;
  const conveyor = new Conveyor<DocumentLine, LineAnswer>(documents, {
    encode: (document) => {
      pulled++;
      return `${JSON.stringify({ ...document, idempotency_key: document.idempotency_key ?? `${prefix}-${pulled}` })}\n`;
    },
    send: (lines, ending) => {
      sent += lines.length;
      onSent?.(sent);
      return sendBatch(transport, path, lines, ending);
    },
    limits: { window: Math.max(1, window), batchLines: BATCH_LINES, batchCharacters: BATCH_CHARACTERS },
  });
  for await (const answer of conveyor.answers(signal)) yield { ...answer, line: ++line };
}

/** Until every line is answered: what was not is sent again, under the same keys, so that nothing is stored twice. */
async function* sendBatch(
  transport: Transport,
  path: string,
  lines: string[],
  signal: AbortSignal,
): AsyncGenerator<LineAnswer> {
  const retries = transport.newRetries(signal);
  let answered = 0;
  while (answered < lines.length) {
    try {
      for await (const answer of exchange(transport, path, lines.slice(answered), signal)) {
        answered++;
        retries.progressed();
        yield answer;
      }
      if (answered < lines.length) throw connectionError('the answer broke off');
    } catch (error) {
      await retries.after(error);
    }
  }
}

/** One request. Ends, or throws, at the first line that is not answered for good. */
async function* exchange(
  transport: Transport,
  path: string,
  lines: string[],
  signal: AbortSignal,
): AsyncGenerator<LineAnswer> {
  const patience = new Patience(SILENCE_MS, signal);
  try {
    const headers = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' };
    const response = await transport.open({ method: 'POST', path, headers, body: lines.join('') }, patience);
    const reader = new LineReader();
    let expected = 1;
    for await (const piece of piecesOf(response, patience)) {
      for (const bytes of reader.read(piece)) {
        const told = parseLine(bytes) as IngestStreamAnswers;
        if ('through' in told) {
          if (isProblem(told.error)) throw problemError({ ...told.error, status: told.error.status ?? 503 });
          continue;
        }
        if (told.line !== expected++)
          throw new DocketError('unexpected_answer', `Line ${told.line} was answered in place of ${expected - 1}`);
        // Whoever is refused for a while comes again, and so do those behind it, so that the order stays.
        if (told.error && mayPass(problemError(told.error))) throw problemError(told.error);
        yield told;
      }
    }
  } finally {
    patience.end();
  }
}
