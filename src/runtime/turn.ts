/** One turn: lease the lane that is next, claim a batch, read it, compare it, and settle all of it at once or nothing. */
import { noteBatch } from '../domain/batches.ts';
import type { Weights } from '../domain/convergence.ts';
import { isUnavailable } from '../errors.ts';
import { cut } from '../pipeline/storable.ts';
import { isDataError } from '../storage/database.ts';
import {
  type ClaimedDocument,
  type Findings,
  type Lease,
  type Result,
  type Settled,
  updateDocumentsClaimed,
  updateLaneHandedBack,
  updateLeaseExtended,
  updateNextLaneTakenAcrossTenants,
} from '../storage/lanes.ts';
import { askExtractor } from './ask-extractor.ts';
import type { ClaimShelf } from './claim-shelf.ts';
import type { RemoteExtractor } from './extractor.ts';
import { findOut, NOTHING_FOUND, type ReadDocument, type Reconciled } from './findings.ts';
import type { WorkerDatabase } from './one-at-a-time.ts';
import type { Threads, Watcher } from './threads.ts';
import type { Unsettled } from './unsettled.ts';

export interface TurnOptions {
  leaseMs: number;
  lanesPerTenant: number;
  attempts: number;
  retryBaseMs: number;
  /** Of the dimensions of convergence. */
  weights: Weights;
}

export interface TurnParts {
  db: WorkerDatabase;
  threads: Pick<Threads, 'read' | 'compare'>;
  shelf: ClaimShelf;
  /** The operator's own, if there is one, and how many documents it may have at once. */
  extractor?: Extractor | undefined;
  /** Of this node's workers. */
  unsettled: Unsettled;
  options: TurnOptions;
}

export type Extractor = Pick<RemoteExtractor, 'atOnce' | 'extract' | 'figures'>;

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
/** Postgres may quote what it refuses, which may be long. */
const REFUSAL_MOST = 500;
const NOTHING_SETTLED: Settled = { processed: 0, failed: 0, retried: 0, superseded: 0, more: true };

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
export async function takeTurn(parts: TurnParts, pace: Pace, taker: TurnTaker): Promise<Turn | 'lost' | null> {
  const { db, options, extractor, unsettled } = parts;
  await unsettled.handBack(db);
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
    // All of a batch wait for the slowest answer.
    const most = lease.suspects > 0 ? 1 : Math.min(BATCH_MOST, extractor?.atOnce ?? BATCH_MOST);
    const documents = await updateDocumentsClaimed(db, lease, most, pace.batchBytes);
    taker.onProgress();
    const watcher = { signal: AbortSignal.any([taker.signal, lost.signal]), onProgress: taker.onProgress };
    const { results, findings, settled } = await settle(parts, pace, lease, documents, watcher);
    if (!settled) {
      unsettled.add(lease, null);
      return 'lost';
    }
    unsettled.settled(lease);
    parts.shelf.add(lease, findings.readings);
    return { ...settled, documents: results.length };
  } catch (error) {
    // That Postgres was away is no document's fault. Any other error may be: then the lease is left to run out.
    if (isUnavailable(error)) unsettled.add(lease, error);
    throw error;
  } finally {
    clearInterval(extending);
  }
}

/**
 * Writes what came of a batch. When Postgres refuses what is in it, a document of it is to blame: one that was alone has
 * failed, and several are handed back to be taken one at a time.
 */
async function settle(
  parts: TurnParts,
  pace: Pace,
  lease: Lease,
  documents: ClaimedDocument[],
  watcher: Watcher,
): Promise<{ results: Result[]; findings: Findings; settled: Settled | null }> {
  const { db, options } = parts;
  try {
    const { results, findings } = await work(parts, pace, lease, documents, watcher);
    return { results, findings, settled: await noteBatch(db, lease, results, findings, options.weights) };
  } catch (error) {
    const [document, ...others] = documents;
    if (!isDataError(error) || !document) throw error;
    const findings = NOTHING_FOUND;
    if (others.length > 0) {
      const isHeld = await updateLaneHandedBack(db, lease, documents.length);
      return { results: [], findings, settled: isHeld ? NOTHING_SETTLED : null };
    }
    const refusal = `Postgres refused what was found in it: ${error.message} (${error.code}).`;
    const results = [failureOf(document, cut(refusal, REFUSAL_MOST), options)];
    return { results, findings, settled: await noteBatch(db, lease, results, findings, options.weights) };
  }
}

/** What is to be written of each document; nothing for those that are to be taken again. */
async function work(
  { db, threads, shelf, extractor, options }: TurnParts,
  pace: Pace,
  lease: Lease,
  documents: ClaimedDocument[],
  watcher: Watcher,
) {
  // Their workers vanished too often while they were in work alone: they are not tried again.
  const spent = documents.filter(({ attempts }) => attempts >= options.attempts);
  const rest = documents.filter(({ attempts }) => attempts < options.attempts);
  const results: Result[] = spent.map(({ seq }) => ({
    seq,
    tried: false,
    error: 'Its worker vanished each time it was processed.',
    retry_ms: null,
  }));
  const failed = (document: ClaimedDocument, error: string) => results.push(failureOf(document, error, options));
  if (rest.length === 0) return { results, findings: NOTHING_FOUND };

  let findings: Reconciled;
  const read: ReadDocument[] = [];
  try {
    const asked = extractor ? await askExtractor(extractor, lease, rest, watcher) : rest;
    const readings = await threads.read(asked, watcher);
    if (readings.ms !== null) pace.learn(rest, readings.ms);
    for (const [index, document] of rest.entries()) {
      const result = readings.results[index] ?? null;
      if (result === null) continue;
      if ('error' in result) failed(document, result.error);
      else read.push({ document, reading: result.outcome });
    }
    findings = await findOut({ db, threads, shelf, lease, watcher }, read);
  } catch (error) {
    // Called off: the lane is handed back with nothing done.
    if (watcher.signal.aborted) return { results: results.filter(({ tried }) => !tried), findings: NOTHING_FOUND };
    throw error;
  }
  for (const { document } of read) {
    const trouble = findings.troubled.get(document.seq);
    if (trouble === undefined) results.push({ seq: document.seq, tried: true, error: null, retry_ms: null });
    else if (trouble !== null) failed(document, trouble);
  }
  return { results, findings };
}

function failureOf({ seq, attempts }: ClaimedDocument, error: string, options: TurnOptions): Result {
  return { seq, tried: true, error, retry_ms: backOff(attempts + 1, options) };
}

/** Twice as long after each attempt; null when that was the last. */
function backOff(attempts: number, { attempts: most, retryBaseMs }: TurnOptions): number | null {
  if (attempts >= most) return null;
  return Math.min(BACKOFF_MOST_MS, retryBaseMs * 2 ** (attempts - 1));
}
