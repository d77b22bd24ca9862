/** One turn: lease the lanes that are next, read their documents, compare them, and settle all of it at once. */
import { type Outcome, settleBatches } from '../domain/batches.ts';
import type { Weights } from '../domain/convergence.ts';
import { isUnavailable } from '../errors.ts';
import { cut } from '../pipeline/storable.ts';
import type { Batch, Result } from '../storage/batches.ts';
import { isDataError, isForeignKeyViolation } from '../storage/database.ts';
import {
  type ClaimedDocument,
  type Lease,
  type TakenLane,
  updateLanesHandedBack,
  updateLanesTakenAcrossTenants,
  updateLeasesExtended,
} from '../storage/lanes.ts';
import { askExtractor } from './ask-extractor.ts';
import type { ClaimShelf } from './claim-shelf.ts';
import type { RemoteExtractor } from './extractor.ts';
import { findOut, type LaneRead, NOTHING_FOUND, type Reconciled } from './findings.ts';
import type { WorkerDatabase } from './one-at-a-time.ts';
import type { Threads, Watcher } from './threads.ts';
import type { Unsettled } from './unsettled.ts';

export interface TurnOptions {
  leaseMs: number;
  /** In which a tenant may take part at once, over all nodes. */
  turnsPerTenant: number;
  attempts: number;
  retryBaseMs: number;
  /** For a scope that somebody else has locked; then its lane is handed back. */
  lockPatienceMs: number;
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
  onTaken(leases: Lease[]): void;
  onProgress(): void;
}

/** What became of the documents of a turn, of all lanes together. */
export interface Turn {
  documents: number;
  processed: number;
  failed: number;
  retried: number;
  superseded: number;
}

/** A turn is at most this many, and what is read in about this time, so that tenants take turns often. */
const DOCUMENTS_MOST = 250;
const READ_MS = 40;
/** What reading a document costs beside its length, in bytes. */
const DOCUMENT_BYTES = 500;
const BACKOFF_MOST_MS = 5 * 60_000;
/** Postgres may quote what it refuses, which may be long. */
const REFUSAL_MOST = 500;
/** When a lane may be taken again whose scope somebody else has locked for longer than a settle waits. */
const LOCKED_MS = 200;
/** How long all lanes of a turn wait for scopes that somebody else has locked: about as long as it takes to accept documents. */
const TOGETHER_PATIENCE_MS = 15;

/** Learns how many bytes are read in the time of a turn. */
export class Pace {
  #bytesPerMs = 500;

  get turnBytes(): number {
    return Math.round(this.#bytesPerMs * READ_MS);
  }

  learn(documents: ClaimedDocument[], ms: number): void {
    const bytes = documents.reduce((sum, { text }) => sum + text.length + DOCUMENT_BYTES, 0);
    const seen = Math.min(20_000, Math.max(1, bytes / Math.max(ms, 0.5)));
    this.#bytesPerMs += (seen - this.#bytesPerMs) * 0.2;
  }
}

/** Null when there was nothing to take; `lost` when no lease held until its batch was settled: nothing was written. */
export async function takeTurn(parts: TurnParts, pace: Pace, taker: TurnTaker): Promise<Turn | 'lost' | null> {
  const { db, options, extractor, unsettled } = parts;
  const { leaseMs, turnsPerTenant } = options;
  await unsettled.handBack(db);
  // All of a turn wait for the slowest answer.
  const documents = Math.min(DOCUMENTS_MOST, extractor?.atOnce ?? DOCUMENTS_MOST);
  // After trouble with Postgres one by one, so that it shows whether one of them is the reason.
  const most = { lanes: unsettled.isInTrouble ? 1 : documents, documents, bytes: pace.turnBytes };
  const lanes = await updateLanesTakenAcrossTenants(db, { holder: taker.holder, leaseMs, turnsPerTenant, ...most });
  const [first] = lanes;
  if (!first) return null;
  taker.onTaken(lanes);

  const lost = new AbortController();
  const scopeKeys = lanes.map(({ scope_key }) => scope_key);
  const extending = setInterval(() => {
    // Called off, it has little left to do; and one that hangs must not hold its lanes for ever.
    if (taker.signal.aborted) return;
    updateLeasesExtended(db, first, scopeKeys, leaseMs).then(
      (held) => held || lost.abort(),
      // Postgres is away: the leases end by themselves, or the next extension comes in time.
      () => {},
    );
  }, leaseMs / 3);
  try {
    taker.onProgress();
    const watcher = { signal: AbortSignal.any([taker.signal, lost.signal]), onProgress: taker.onProgress };
    const done = await carryOut(parts, pace, lanes, watcher);
    return await conclude(parts, done);
  } catch (error) {
    // That Postgres was away is no document's fault. Any other error may be: then the leases are left to run out.
    if (isUnavailable(error)) for (const lane of lanes) unsettled.add(lane, error);
    throw error;
  } finally {
    clearInterval(extending);
  }
}

interface Done {
  batch: Batch;
  outcome: Outcome;
}

/** Tidies up after each batch, and adds up what became of them. */
async function conclude({ db, unsettled, shelf }: TurnParts, done: Done[]): Promise<Turn | 'lost'> {
  const turn: Turn = { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0 };
  const locked: Lease[] = [];
  let isLost = true;
  for (const { batch, outcome } of done) {
    const { lease, results, findings } = batch;
    if (outcome === 'lost') unsettled.add(lease, null);
    else isLost = false;
    if (outcome === 'locked') locked.push(lease);
    if (outcome === 'lost' || outcome === 'locked') continue;
    unsettled.settled(lease);
    shelf.add(lease, findings.readings);
    turn.documents += results.length;
    turn.processed += outcome.processed;
    turn.failed += outcome.failed;
    turn.retried += outcome.retried;
    turn.superseded += outcome.superseded;
  }
  if (locked.length > 0) await updateLanesHandedBack(db, locked, { afterMs: LOCKED_MS });
  return isLost ? 'lost' : turn;
}

/**
 * Reads, compares and settles. When Postgres refuses what is in it, one of the lanes is to blame: they are tried one by one
 * then. In a lane that is refused by itself a document is to blame: one that was alone has failed, and several are handed
 * back to be taken one at a time.
 */
async function carryOut(parts: TurnParts, pace: Pace, lanes: TakenLane[], watcher: Watcher): Promise<Done[]> {
  const { db, options } = parts;
  const [first, ...others] = lanes;
  if (!first) return [];
  const settle = async (batches: Batch[]): Promise<Done[]> => {
    const { weights, lockPatienceMs } = options;
    const outcomes = await settleBatches(
      db,
      first,
      batches,
      weights,
      others.length > 0 ? TOGETHER_PATIENCE_MS : lockPatienceMs,
    );
    // Those whose scopes are locked wait by themselves, and nobody else for them.
    for (const [n, batch] of batches.entries())
      if (outcomes[n] === 'locked' && others.length > 0)
        outcomes.splice(
          n,
          1,
          ...(await settleBatches(db, first, [batch], weights, lockPatienceMs).catch(untilItsTurn)),
        );
    return batches.map((batch, n) => ({ batch, outcome: outcomes[n] as Outcome }));
  };
  try {
    return await settle(await work(parts, pace, lanes, watcher));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (others.length > 0) {
      const done: Done[] = [];
      for (const lane of lanes) done.push(...(await carryOut(parts, pace, [lane], watcher)));
      return done;
    }
    const nothing = { lease: first, results: [], findings: NOTHING_FOUND };
    // The tenant was deleted meanwhile.
    if (!isDataError(error)) return [{ batch: nothing, outcome: 'lost' }];
    const [document, ...more] = first.documents;
    if (!document) throw error;
    if (more.length > 0) {
      const held = await updateLanesHandedBack(db, [first], { suspects: first.documents.length });
      const outcome = held.length > 0 ? { processed: 0, failed: 0, retried: 0, superseded: 0 } : 'lost';
      return [{ batch: nothing, outcome }];
    }
    const refusal = `Postgres refused what was found in it: ${error.message} (${error.code}).`;
    return settle([{ ...nothing, results: [failureOf(document, cut(refusal, REFUSAL_MOST), options)] }]);
  }
}

/** Whether Postgres refuses what is in a batch: the others of its turn are not to blame. */
const isRefusal = (error: unknown) => isDataError(error) || isForeignKeyViolation(error);

/** The others are settled already: what is refused by itself is found out when its lane is taken again. */
function untilItsTurn(error: unknown): Outcome[] {
  if (isRefusal(error)) return ['locked'];
  throw error;
}

/** What is to be written of each lane; nothing for documents that are to be taken again. */
async function work(parts: TurnParts, pace: Pace, lanes: TakenLane[], watcher: Watcher): Promise<Batch[]> {
  const { db, threads, shelf, options } = parts;
  const tried = lanes.map((lane) => ({
    lane,
    // Their workers vanished too often while they were in work alone: they are not tried again.
    results: lane.documents.filter(({ attempts }) => attempts >= options.attempts).map(spent),
    documents: lane.documents.filter(({ attempts }) => attempts < options.attempts),
  }));
  const batchesWith = (found: Reconciled[]): Batch[] =>
    tried.map(({ lane, results }, n) => ({ lease: lane, results, findings: found[n] ?? NOTHING_FOUND }));
  if (tried.every(({ documents }) => documents.length === 0)) return batchesWith([]);

  const read: LaneRead[] = [];
  let found: Reconciled[];
  try {
    const outcomes = await readAll(parts, pace, tried, watcher);
    for (const { lane, results, documents } of tried) {
      const readable: LaneRead = { lease: lane, processed: lane.processed, read: [] };
      for (const document of documents) {
        const result = outcomes.next().value ?? null;
        if (result === null) continue;
        if ('error' in result) results.push(failureOf(document, result.error, options));
        else readable.read.push({ document, reading: result.outcome });
      }
      read.push(readable);
    }
    found = await findOut({ db, threads, shelf, watcher }, read);
  } catch (error) {
    // Called off: the lanes are handed back with nothing done.
    if (!watcher.signal.aborted) throw error;
    for (const one of tried) one.results = one.results.filter(({ tried: wasTried }) => !wasTried);
    return batchesWith([]);
  }
  for (const [n, { read: documents }] of read.entries()) {
    const { troubled } = found[n] as Reconciled;
    for (const { document } of documents) {
      const trouble = troubled.get(document.seq);
      const { results } = tried[n] as (typeof tried)[number];
      if (trouble === undefined) results.push({ seq: document.seq, tried: true, error: null, retry_ms: null });
      else if (trouble !== null) results.push(failureOf(document, trouble, options));
    }
  }
  return batchesWith(found);
}

/** What was read of each document, lane after lane. */
async function readAll(
  { threads, extractor }: TurnParts,
  pace: Pace,
  tried: { lane: Lease; documents: ClaimedDocument[] }[],
  watcher: Watcher,
) {
  const asked = await Promise.all(
    tried.map(({ lane, documents }) =>
      extractor ? askExtractor(extractor, lane, documents, watcher) : Promise.resolve(documents),
    ),
  );
  // Of several tenants only those who have little share a turn, so that the name of one of them will do.
  const [first] = tried;
  const { results, ms } = await threads.read(first?.lane.tenant_id ?? '', asked.flat(), watcher);
  if (ms !== null)
    pace.learn(
      tried.flatMap(({ documents }) => documents),
      ms,
    );
  return results.values();
}

function spent({ seq }: ClaimedDocument): Result {
  return { seq, tried: false, error: 'Its worker vanished each time it was processed.', retry_ms: null };
}

function failureOf({ seq, attempts }: ClaimedDocument, error: string, options: TurnOptions): Result {
  return { seq, tried: true, error, retry_ms: backOff(attempts + 1, options) };
}

/** Twice as long after each attempt; null when that was the last. */
function backOff(attempts: number, { attempts: most, retryBaseMs }: TurnOptions): number | null {
  if (attempts >= most) return null;
  return Math.min(BACKOFF_MOST_MS, retryBaseMs * 2 ** (attempts - 1));
}
