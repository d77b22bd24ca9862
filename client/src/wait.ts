/** Waits until documents are processed, by the routes that answer only then: nothing is polled that the service can tell. */
import type { Document, ScopeSummary } from './api-types.ts';
import { WaitTimeoutError } from './errors.ts';
import { pause } from './retries.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface WaitOptions extends CallOptions {
  /** How long at most, before a WaitTimeoutError; as long as it takes, when it is left out. */
  timeoutMs?: number | undefined;
}

/** Less than what proxies allow an answer to take. */
const LONGEST_WAIT_S = 25;
/** Between two looks, in case that the service answers at once. */
const BETWEEN_MS = 50;

/** Until all that has come to the scope so far is done: processed, failed, or superseded by a newer version. */
export async function waitForScope(
  transport: Transport,
  scopeId: string,
  { through, ...options }: WaitOptions & { through?: number | undefined },
): Promise<ScopeSummary> {
  const look = (wait: number, upTo: number | undefined) =>
    transport.call('GET /api/scopes/{scopeId}/summary', { path: { scopeId }, query: { wait, through: upTo } }, options);
  // Asked for once: what comes later is not waited for.
  const upTo = through ?? (await look(0, undefined)).last_seq;
  return repeated(
    options,
    (wait) => look(wait, upTo ?? undefined),
    ({ settled_through, last_seq }) => {
      if (upTo === null || (settled_through ?? -1) >= upTo) return true;
      // The scope was emptied since: there is nothing left of what was waited for.
      return through === undefined && (last_seq ?? -1) < upTo;
    },
    `Scope ${scopeId} was not processed in time`,
  );
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
  return repeated(
    options,
    (wait) =>
      transport.call('GET /api/documents/{document_id}', { ...where, query: { ...where.query, wait } }, options),
    ({ state }) => !WAITING.includes(state),
    `Document ${documentId} was not processed in time`,
  );
}

async function repeated<Seen>(
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitOptions,
  look: (waitSeconds: number) => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  late: string,
): Promise<Seen> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, deadline - Date.now());
    const seen = await look(Math.min(LONGEST_WAIT_S, Math.ceil(leftMs / 1000)));
    if (isDone(seen)) return seen;
    if (Date.now() >= deadline) throw new WaitTimeoutError('wait_timeout', `${late}: ${timeoutMs / 1000} s`);
    await pause(BETWEEN_MS, signal);
  }
}
