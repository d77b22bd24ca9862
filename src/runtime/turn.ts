/** One turn: lease the lane that is next, claim a batch of it, read it, and settle all of it at once or nothing. */
import type { Queryable } from '../domain/database.ts';
import {
  type ClaimedDocument,
  type Lease,
  type Result,
  type Settled,
  updateBatchSettled,
  updateDocumentsClaimed,
  updateLeaseExtended,
  updateNextLaneTakenAcrossTenants,
} from '../storage/lanes.ts';
import type { Readings } from './threads.ts';

export interface TurnOptions {
  leaseMs: number;
  lanesPerTenant: number;
  attempts: number;
  retryBaseMs: number;
}

export interface TurnParts {
  db: Queryable;
  threads: {
    read(documents: ClaimedDocument[], signal: AbortSignal, onProgress: () => void): Promise<Readings>;
  };
  options: TurnOptions;
}

/** Who takes the turn, and what it wants to hear of it. */
export interface TurnTaker {
  holder: string;
  signal: AbortSignal;
  onTaken(lease: Lease): void;
  onProgress(): void;
}

export interface Turn extends Settled {
  documents: number;
}

/** A batch is at most this many, and what is read in about this time, so that lanes take turns often. */
const BATCH_MOST = 250;
const BATCH_MS = 20;
/** What reading a document costs beside its length, in bytes. */
const DOCUMENT_BYTES = 500;
const BACKOFF_MOST_MS = 5 * 60_000;

/** Learns how many bytes are read in the time of a batch. */
export class Pace {
  #bytesPerMs = 500;

  get batchBytes(): number {
    return Math.round(this.#bytesPerMs * BATCH_MS);
  }

  learn(documents: ClaimedDocument[], ms: number): void {
    const bytes = documents.reduce((sum, { text }) => sum + text.length + DOCUMENT_BYTES, 0);
    const seen = Math.min(20_000, Math.max(1, bytes / Math.max(ms, 0.5)));
    this.#bytesPerMs += (seen - this.#bytesPerMs) * 0.2;
  }
}

/** Null when there was no lane to take; `lost` when the lease ran out before the batch was settled: nothing was written. */
export async function takeTurn(
  { db, threads, options }: TurnParts,
  pace: Pace,
  taker: TurnTaker,
): Promise<Turn | 'lost' | null> {
  const lease = await updateNextLaneTakenAcrossTenants(db, taker.holder, options.leaseMs, options.lanesPerTenant);
  if (!lease) return null;
  taker.onTaken(lease);

  const lost = new AbortController();
  const extending = setInterval(() => {
    // Called off, it has little left to do; and one that hangs must not hold its lane for ever.
    if (taker.signal.aborted) return;
    updateLeaseExtended(db, lease, options.leaseMs).then(
      (held) => held || lost.abort(),
      // Postgres is away: the lease ends by itself, or the next extension comes in time.
      () => {},
    );
  }, options.leaseMs / 3);
  try {
    const most = lease.suspects > 0 ? 1 : BATCH_MOST;
    const documents = await updateDocumentsClaimed(db, lease, most, pace.batchBytes);
    taker.onProgress();
    const signal = AbortSignal.any([taker.signal, lost.signal]);
    const results = await readBatch({ db, threads, options }, pace, documents, signal, taker.onProgress);
    const settled = await updateBatchSettled(db, lease, results);
    return settled ? { ...settled, documents: results.length } : 'lost';
  } finally {
    clearInterval(extending);
  }
}

/** What is to be written of each document; nothing for those that are to be taken again. */
async function readBatch(
  { threads, options }: TurnParts,
  pace: Pace,
  documents: ClaimedDocument[],
  signal: AbortSignal,
  onProgress: () => void,
): Promise<Result[]> {
  // Their workers vanished too often while they were in work alone: they are not tried again.
  const spent = documents.filter(({ attempts }) => attempts >= options.attempts);
  const rest = documents.filter(({ attempts }) => attempts < options.attempts);
  const results: Result[] = spent.map(({ seq }) => ({
    seq,
    tried: false,
    error: 'Its worker vanished each time it was processed.',
    retry_ms: null,
  }));
  if (rest.length === 0) return results;

  let readings: Readings;
  try {
    readings = await threads.read(rest, signal, onProgress);
  } catch (error) {
    // Called off: the lane is handed back with nothing done.
    if (signal.aborted) return results;
    throw error;
  }
  if (readings.ms !== null) pace.learn(rest, readings.ms);
  for (const [index, reading] of readings.results.entries()) {
    const { seq, attempts } = rest[index] as ClaimedDocument;
    if (reading === null) continue;
    if ('error' in reading)
      results.push({ seq, tried: true, error: reading.error, retry_ms: backOff(attempts + 1, options) });
    else results.push({ seq, tried: true, error: null, retry_ms: null });
  }
  return results;
}

/** Twice as long after each attempt; null when that was the last. */
function backOff(attempts: number, { attempts: most, retryBaseMs }: TurnOptions): number | null {
  if (attempts >= most) return null;
  return Math.min(BACKOFF_MOST_MS, retryBaseMs * 2 ** (attempts - 1));
}
