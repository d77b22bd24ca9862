/** Waits until documents are processed, by the routes that answer only then: nothing is polled that the service can tell. */
import type { Document, ScopeSummary } from './api-types.ts';
import { WaitTimeoutError } from './errors.ts';
import { pause } from './retries.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface WaitOptions extends CallOptions {
  /** How long at most, before a WaitTimeoutError, also when nobody answers; as long as it takes, when it is left out. */
  timeoutMs?: number | undefined;
}

/** Less than what proxies allow an answer to take. */
const LONGEST_WAIT_S = 25;
/** Between two looks, in case that the service answers at once. */
const BETWEEN_MS = 50;
/** The longest that a timer takes; a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is left of the time. */
interface Limit {
  /** Given by the caller, or when time is up. */
  signal: AbortSignal | undefined;
  /** How long the service may take for an answer. */
  waitSeconds: () => number;
}

/** Until all that has come to the scope so far is done: processed, failed, or superseded by a newer version. */
export function waitForScope(
  transport: Transport,
  scopeId: string,
  { through, ...options }: WaitOptions & { through?: number | undefined },
): Promise<ScopeSummary> {
  return inTime(options, `Scope ${scopeId} was not processed in time`, async (limit) => {
    const look = (wait: number, upTo: number | undefined) =>
      transport.call('GET /api/scopes/{scopeId}/summary', { path: { scopeId }, query: { wait, through: upTo } }, limit);
    // Asked for once: what comes later is not waited for.
    const upTo = through ?? (await look(0, undefined)).last_seq;
    return repeated(
      limit,
      (wait) => look(wait, upTo ?? undefined),
      ({ settled_through, last_seq }) => {
        if (upTo === null || (settled_through ?? -1) >= upTo) return true;
        // The scope was emptied since: there is nothing left of what was waited for.
        return through === undefined && (last_seq ?? -1) < upTo;
      },
    );
  });
}

const WAITING = ['queued', 'processing'];

/** Until the newest version of the document is done. One that is pending was not asked to run, and is not waited for. */
export function waitForDocument(
  transport: Transport,
  scopeId: string,
  documentId: string,
  options: WaitOptions,
): Promise<Document> {
  const where = { path: { document_id: documentId }, query: { scope_id: scopeId } };
  return inTime(options, `Document ${documentId} was not processed in time`, (limit) =>
    repeated(
      limit,
      (wait) =>
        transport.call('GET /api/documents/{document_id}', { ...where, query: { ...where.query, wait } }, limit),
      ({ state }) => !WAITING.includes(state),
    ),
  );
}

/** Ends an attempt that is not answered, too, and the pause before the next one. */
async function inTime<Seen>(
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitOptions,
  late: string,
  work: (limit: Limit) => Promise<Seen>,
): Promise<Seen> {
  const deadline = Date.now() + timeoutMs;
  const waitSeconds = () => Math.min(LONGEST_WAIT_S, Math.max(0, Math.ceil((deadline - Date.now()) / 1000)));
  if (timeoutMs > MAX_TIMER_MS) return work({ signal, waitSeconds });
  // Not by AbortSignal.any, which not every Node 20 has.
  const ending = new AbortController();
  const giveUp = () => ending.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  const timer = setTimeout(() => {
    ending.abort(new WaitTimeoutError('wait_timeout', `${late}: ${timeoutMs / 1000} s`));
  }, timeoutMs);
  try {
    return await work({ signal: ending.signal, waitSeconds });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

async function repeated<Seen>(
  { signal, waitSeconds }: Limit,
  look: (waitSeconds: number) => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
): Promise<Seen> {
  for (;;) {
    const seen = await look(waitSeconds());
    if (isDone(seen)) return seen;
    await pause(BETWEEN_MS, signal);
  }
}
