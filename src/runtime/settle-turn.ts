/** Compares what was read in a turn, and settles it: all lanes at once, and by themselves those of which that cannot be done. */
import type { Queryable } from '../domain/database.ts';
import { type LaneWork, type Outcome, settleLanes } from '../domain/settle/settle.ts';
import type { Result } from '../storage/batches.ts';
import { isDataError, isForeignKeyViolation } from '../storage/database.ts';
import { listStillClaimed, lockScopeOfLane } from '../storage/lanes.ts';
import { failureOf } from './attempts.ts';
import { type Findings, findOut } from './findings.ts';
import type { LaneRead } from './lane-candidates.ts';
import type { LaneInWork } from './read-lanes.ts';
import type { OpenScope } from './scope-indexes.ts';
import type { Watcher } from './thread-pool.ts';
import type { TurnOptions, TurnParts } from './turn-parts.ts';

/** How often a lane is planned again because its scope has changed meanwhile, the last time with its scope locked. */
const MAX_PLANS = 2;
/** How long all lanes of a turn wait for scopes that somebody else has locked: about as long as it takes to accept documents. */
const TOGETHER_PATIENCE_MS = 15;

/** Whether Postgres refuses what is in a batch: the others of its turn are not to blame. */
export const isRefusal = (error: unknown) => isDataError(error) || isForeignKeyViolation(error);

/** The others are settled already: what is refused by itself is found out when its lane is taken again. */
function untilItsTurn(error: unknown): Outcome[] {
  if (isRefusal(error)) return ['locked'];
  throw error;
}

/**
 * What became of each lane, in order. Those whose scopes are locked are settled by themselves, so that nobody else waits for
 * them, and so are those whose scopes have changed.
 */
export async function settleTurn(parts: TurnParts, lanes: LaneInWork[], watcher: Watcher): Promise<Outcome[]> {
  const { db, options } = parts;
  const isAlone = lanes.length === 1;
  const patienceMs = isAlone ? options.lockPatienceMs : TOGETHER_PATIENCE_MS;
  const outcomes = await compareAndSettle(parts, lanes, watcher, {
    db,
    patienceMs,
    asItIsNow: false,
    isCommitted: true,
  });
  for (const [n, lane] of lanes.entries()) {
    if (outcomes[n] === 'locked' && !isAlone) [outcomes[n]] = await settleAlone(parts, lane, watcher);
    for (let again = 0; outcomes[n] === 'moved' && again < MAX_PLANS; again++)
      [outcomes[n]] = await settleAlone(parts, lane, watcher, { isLocked: again === MAX_PLANS - 1 });
  }
  return outcomes as Outcome[];
}

async function settleAlone(
  parts: TurnParts,
  lane: LaneInWork,
  watcher: Watcher,
  { isLocked = false } = {},
): Promise<[Outcome]> {
  const { db, beside, options } = parts;
  const work = (queryable: Queryable) => {
    const how = { db: queryable, patienceMs: options.lockPatienceMs, asItIsNow: true, isCommitted: !isLocked };
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

interface Settling {
  db: Queryable;
  patienceMs: number;
  /** With its scope as it is now, and not as it was when its lane was taken. */
  asItIsNow: boolean;
  /** Whether what was settled is committed then: what is not may never have been said. */
  isCommitted: boolean;
}

/** What becomes of each lane, with its scope as it was when it was taken, or as it is now. */
async function compareAndSettle(
  parts: TurnParts,
  lanes: LaneInWork[],
  watcher: Watcher,
  { db, patienceMs, asItIsNow, isCommitted }: Settling,
): Promise<Outcome[]> {
  const { threads, cache, sketches, indexes, settles, options } = parts;
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
  const found = await findings({ db, threads, cache, sketches, watcher }, there);
  const works = there.map((one, n) => toWork(one, found?.[n], options));
  const [first] = works;
  if (!first) return lanes.map(() => 'lost');
  // Called off, or all of it was deleted. Its take counts as a try, so that it is handed back. It is alone in its turn.
  if (first.isAgain && first.results.length === 0) return ['untried'];
  const began = performance.now();
  const outcomes = await settleLanes(db, first.lease, works, { ...options, patienceMs });
  const settled = works.filter((_work, n) => typeof outcomes[n] !== 'string');
  const documents = settled.reduce((sum, { claimed }) => sum + claimed.length, 0);
  settles?.done(documents, performance.now() - began);
  for (const [n, { lease, index, readings }] of works.entries()) {
    if (typeof outcomes[n] === 'string') continue;
    indexes.keep(lease.scope_key, index);
    if (!isCommitted) continue;
    cache.add(lease, readings);
    sketches.add(lease, readings);
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
  const read = lanes.map(({ lane, scope, read }): LaneRead => ({ lease: lane, scope, read, isAgain: lane.isAgain }));
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
  const isAgain = lane.isAgain ?? false;
  const base = { lease: lane, ...scope, claimed: lane.documents, worked_ms: performance.now() - since, isAgain };
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
