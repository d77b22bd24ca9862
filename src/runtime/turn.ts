/** One turn: lease the lanes that are next, read their documents, compare them, and settle all of it at once. */
import type { Weights } from '../domain/convergence.ts';
import type { Queryable } from '../domain/database.ts';
import { type LaneWork, type Outcome, settleLanes } from '../domain/settle/settle.ts';
import { isUnavailable } from '../errors.ts';
import { cut } from '../pipeline/storable.ts';
import type { Result } from '../storage/batches.ts';
import { isDataError, isForeignKeyViolation } from '../storage/database.ts';
import {
  type ClaimedDocument,
  type Lease,
  listStillClaimed,
  lockScopeOfLane,
  type TakenLane,
  updateLanesHandedBack,
  updateLanesTakenAcrossTenants,
  updateLeasesExtended,
} from '../storage/lanes.ts';
import { askExtractor } from './ask-extractor.ts';
import type { ClaimCache } from './claim-cache.ts';
import type { RemoteExtractor } from './extractor.ts';
import { type Findings, findOut, type LaneRead, type ReadDocument } from './findings.ts';
import type { WorkerDatabase } from './one-at-a-time.ts';
import type { OpenScope, ScopeIndexes } from './scope-indexes.ts';
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
  /** Of readings of one scope that are kept in memory. */
  unfiledKeys: number;
}

export interface TurnParts {
  db: WorkerDatabase;
  /** The same, for what must not wait for the statements of other turns, nor they for it. */
  beside: WorkerDatabase;
  threads: Pick<Threads, 'read' | 'compare'>;
  cache: ClaimCache;
  indexes: ScopeIndexes;
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
const MAX_DOCUMENTS = 250;
const READ_MS = 40;
/** What reading a document costs beside its length, in bytes. */
const DOCUMENT_BYTES = 500;
const MAX_BACKOFF_MS = 5 * 60_000;
/** Postgres may quote what it refuses, which may be long. */
const MAX_REFUSAL = 500;
/** When a lane may be taken again whose scope somebody else has locked for longer than a settle waits. */
const LOCKED_MS = 200;
/** How often a lane is planned again because its scope has changed meanwhile; then once more with its scope locked. */
const MAX_PLANS = 2;
/** How long all lanes of a turn wait for scopes that somebody else has locked: about as long as it takes to accept documents. */
const TOGETHER_PATIENCE_MS = 15;

/** Learns how many bytes are read in the time of a turn. */
export class Pace {
  #bytesPerMs = 500;

  get turnBytes(): number {
    return Math.round(this.#bytesPerMs * READ_MS);
  }

  learn(documents: Pick<ClaimedDocument, 'text'>[], ms: number): void {
    const bytes = documents.reduce((sum, { text }) => sum + text.length + DOCUMENT_BYTES, 0);
    const seen = Math.min(20_000, Math.max(1, bytes / Math.max(ms, 0.5)));
    this.#bytesPerMs += (seen - this.#bytesPerMs) * 0.2;
  }
}

/** Null when there was nothing to take; `lost` when no lease held until its batch was settled: nothing was written. */
export async function takeTurn(parts: TurnParts, pace: Pace, taker: TurnTaker): Promise<Turn | 'lost' | null> {
  const { db, beside, options, extractor, unsettled } = parts;
  const { leaseMs, turnsPerTenant } = options;
  await unsettled.handBack(db);
  // All of a turn wait for the slowest answer.
  const documents = Math.min(MAX_DOCUMENTS, extractor?.atOnce ?? MAX_DOCUMENTS);
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
    updateLeasesExtended(beside, first, scopeKeys, leaseMs).then(
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

/** A lane in work: what was read of its documents, and what becomes of those that were not. */
interface LaneInWork {
  lane: TakenLane;
  read: ReadDocument[];
  results: Result[];
  /** When its documents were claimed. */
  since: number;
}

interface Done {
  lease: Lease;
  outcome: Outcome;
}

/** Tidies up after each lane, and adds up what became of them. */
async function conclude({ db, unsettled }: TurnParts, done: Done[]): Promise<Turn | 'lost'> {
  const turn: Turn = { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0 };
  const locked: Lease[] = [];
  let isLost = true;
  for (const { lease, outcome } of done) {
    if (outcome === 'lost') unsettled.add(lease, null);
    else isLost = false;
    if (outcome === 'locked' || outcome === 'moved') locked.push(lease);
    if (typeof outcome === 'string') continue;
    unsettled.settled(lease);
    turn.documents += outcome.documents;
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
  let inWork: LaneInWork[] = [];
  try {
    inWork = await readLanes(parts, pace, lanes, watcher);
    return await settle(parts, inWork, watcher);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (others.length > 0) {
      const done: Done[] = [];
      for (const lane of lanes) done.push(...(await carryOut(parts, pace, [lane], watcher)));
      return done;
    }
    // The tenant was deleted meanwhile.
    if (!isDataError(error)) return [{ lease: first, outcome: 'lost' }];
    const [document, ...more] = first.documents;
    if (!document) throw error;
    if (more.length > 0) {
      const held = await updateLanesHandedBack(db, [first], { suspects: first.documents.length });
      const nothing = { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0 };
      return [{ lease: first, outcome: held.length > 0 ? nothing : 'lost' }];
    }
    const refusal = `Postgres refused what was found in it: ${error.message} (${error.code}).`;
    const results = [failureOf(document, cut(refusal, MAX_REFUSAL), options)];
    return settle(parts, [{ lane: first, read: [], results, since: performance.now() }], watcher);
  }
}

/** Whether Postgres refuses what is in a batch: the others of its turn are not to blame. */
const isRefusal = (error: unknown) => isDataError(error) || isForeignKeyViolation(error);

/** The others are settled already: what is refused by itself is found out when its lane is taken again. */
function untilItsTurn(error: unknown): Outcome[] {
  if (isRefusal(error)) return ['locked'];
  throw error;
}

/** All lanes at once; then, by themselves, those whose scopes are locked, so that nobody else waits for them, or have changed. */
async function settle(parts: TurnParts, lanes: LaneInWork[], watcher: Watcher): Promise<Done[]> {
  const { db, options } = parts;
  const isAlone = lanes.length === 1;
  const patienceMs = isAlone ? options.lockPatienceMs : TOGETHER_PATIENCE_MS;
  const outcomes = await compareAndSettle(parts, lanes, watcher, { db, patienceMs, asItIsNow: false });
  for (const [n, lane] of lanes.entries()) {
    if (outcomes[n] === 'locked' && !isAlone) [outcomes[n]] = await settleAlone(parts, lane, watcher);
    for (let again = 0; outcomes[n] === 'moved' && again < MAX_PLANS; again++)
      [outcomes[n]] = await settleAlone(parts, lane, watcher, { isLocked: again === MAX_PLANS - 1 });
  }
  return lanes.map(({ lane }, n) => ({ lease: lane, outcome: outcomes[n] as Outcome }));
}

async function settleAlone(
  parts: TurnParts,
  lane: LaneInWork,
  watcher: Watcher,
  { isLocked = false } = {},
): Promise<[Outcome]> {
  const { db, beside, options } = parts;
  const work = (queryable: Queryable) => {
    const how = { db: queryable, patienceMs: options.lockPatienceMs, asItIsNow: true };
    return compareAndSettle(parts, [lane], watcher, how);
  };
  // Nobody waits for one that is compared while its scope is locked.
  const settled = isLocked
    ? beside.transaction(async (tx): Promise<Outcome[]> => {
        if (!(await lockScopeOfLane(tx, lane.lane, options.lockPatienceMs))) return ['locked'];
        return work(tx);
      })
    : work(db);
  const outcomes = await settled.catch((error) => {
    // What it has learnt may never have been committed.
    if (isLocked) parts.indexes.drop(lane.lane.scope_key);
    return untilItsTurn(error);
  });
  return [outcomes[0] ?? 'lost'];
}

/** What becomes of each lane, with its scope as it was when it was taken, or as it is now. */
async function compareAndSettle(
  parts: TurnParts,
  lanes: LaneInWork[],
  watcher: Watcher,
  { db, patienceMs, asItIsNow }: { db: Queryable; patienceMs: number; asItIsNow: boolean },
): Promise<Outcome[]> {
  const { threads, cache, indexes, options } = parts;
  const opened = await indexes.open(
    db,
    lanes.map(({ lane }) => lane),
    { asItIsNow },
  );
  // A scope that is gone, or was reset, has taken its lane with it.
  const there = await withoutDeleted(
    db,
    lanes.flatMap((one, n) => (opened[n] ? [{ ...one, scope: opened[n] }] : [])),
  );
  const found = await findings({ db, threads, cache, watcher }, there);
  const works = there.map((one, n) => toWork(one, found?.[n], options));
  const [first] = works;
  if (!first) return lanes.map(() => 'lost');
  const outcomes = await settleLanes(db, first.lease, works, { ...options, patienceMs });
  for (const [n, { lease, index, readings }] of works.entries()) {
    if (typeof outcomes[n] === 'string') continue;
    indexes.keep(lease.scope_key, index);
    cache.add(lease, readings);
  }
  const ofScope = new Map(works.map(({ lease }, n) => [lease.scope_key, outcomes[n]]));
  return lanes.map(({ lane }) => ofScope.get(lane.scope_key) ?? 'lost');
}

type OpenLane = LaneInWork & { scope: OpenScope };

/** In a scope that has changed since its lane was taken, documents may have been deleted. */
async function withoutDeleted(db: Queryable, lanes: OpenLane[]): Promise<OpenLane[]> {
  const changed = lanes.filter(({ lane, scope }) => scope.head.revision !== lane.head.revision);
  if (changed.length === 0) return lanes;
  const still = await listStillClaimed(
    db,
    changed.map(({ lane }) => lane),
  );
  return lanes.map((one) => {
    const seqs = still.get(one.lane.scope_key);
    if (!seqs) return one;
    const isThere = ({ seq }: { seq: number }) => seqs.has(seq);
    return {
      ...one,
      lane: { ...one.lane, documents: one.lane.documents.filter(isThere) },
      read: one.read.filter(({ document }) => isThere(document)),
      results: one.results.filter(isThere),
    };
  });
}

/** Null when it was called off: the lanes are handed back with nothing done. */
async function findings(parts: Parameters<typeof findOut>[0], lanes: OpenLane[]): Promise<Findings[] | null> {
  const read = lanes.map(({ lane, scope, read }): LaneRead => ({ lease: lane, scope, read }));
  try {
    return await findOut(parts, read);
  } catch (error) {
    if (!parts.watcher.signal.aborted) throw error;
    return null;
  }
}

function toWork(
  { lane, read, results, since, scope }: OpenLane,
  found: Findings | undefined,
  options: TurnOptions,
): LaneWork {
  const base = { lease: lane, ...scope, claimed: lane.documents, worked_ms: performance.now() - since };
  const nothing = { readings: [], conflicts: [], dropped: [], older: [], leaving: [] };
  // Called off: an attempt that came to nothing is none.
  if (!found) return { ...base, ...nothing, results: results.filter(({ tried }) => !tried) };
  const { troubled, ...findings } = found;
  const compared = read.flatMap(({ document }): Result[] => {
    const trouble = troubled.get(document.seq);
    if (trouble === undefined) return [{ seq: document.seq, tried: true, error: null, retry_ms: null }];
    return trouble === null ? [] : [failureOf(document, trouble, options)];
  });
  return { ...base, ...findings, results: [...results, ...compared] };
}

/** What was read of each lane; nothing of documents that are to be taken again. */
async function readLanes(parts: TurnParts, pace: Pace, lanes: TakenLane[], watcher: Watcher): Promise<LaneInWork[]> {
  const { options } = parts;
  const since = performance.now();
  const tried = lanes.map((lane) => ({
    lane,
    // Their workers vanished too often while they were in work alone: they are not tried again.
    results: lane.documents.filter(({ attempts }) => attempts >= options.attempts).map(spent),
    documents: lane.documents.filter(({ attempts }) => attempts < options.attempts),
  }));
  const nothing = () => tried.map(({ lane, results }): LaneInWork => ({ lane, read: [], results, since }));
  if (tried.every(({ documents }) => documents.length === 0)) return nothing();
  try {
    const outcomes = await readAll(parts, pace, tried, watcher);
    return tried.map(({ lane, results, documents }) => {
      const inWork: LaneInWork = { lane, read: [], results: [...results], since };
      for (const document of documents) {
        const result = outcomes.next().value ?? null;
        if (result === null) continue;
        if ('error' in result) inWork.results.push(failureOf(document, result.error, options));
        else inWork.read.push({ document, reading: result.outcome });
      }
      return inWork;
    });
  } catch (error) {
    // Called off: the lanes are handed back with nothing done.
    if (!watcher.signal.aborted) throw error;
    return nothing();
  }
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
  return Math.min(MAX_BACKOFF_MS, retryBaseMs * 2 ** (attempts - 1));
}
