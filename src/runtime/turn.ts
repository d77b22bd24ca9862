/** One turn: lease the lanes that are next, read their documents, compare them, and settle all of it at once. */
import type { Outcome, Settled } from '../domain/settle/settle.ts';
import { isUnavailable } from '../errors.ts';
import { cut } from '../pipeline/storable.ts';
import { isDataError } from '../storage/database.ts';
import {
  type Lease,
  type TakenLane,
  updateLanesHandedBack,
  updateLanesTakenAcrossTenants,
  updateLeasesExtended,
} from '../storage/lanes.ts';
import { updateRereadHandedBack } from '../storage/rereads.ts';
import { failureOf, loggable } from './attempts.ts';
import { isSmallTurn, type Pace } from './pace.ts';
import { type LaneInWork, readLanes } from './read-lanes.ts';
import { isRefusal, settleTurn } from './settle-turn.ts';
import type { Watcher } from './thread-pool.ts';
import type { NodeParts, TurnParts } from './turn-parts.ts';

/** Who takes the turn, and what it wants to hear of it. */
export interface TurnTaker {
  holder: string;
  signal: AbortSignal;
  onTaken(leases: Lease[]): void;
  onProgress(): void;
}

/** What became of the documents of a turn, of all lanes together. */
export type Turn = Settled;

/** Postgres may quote what it refuses, which may be long. */
const MAX_REFUSAL = 500;
/** When a lane may be taken again whose scope somebody else has locked for longer than a settle waits. */
const LOCKED_MS = 200;

/** Null when there was nothing to take; `lost` when no lease held until its batch was settled: nothing was written. */
export async function takeTurn(node: NodeParts, pace: Pace, taker: TurnTaker): Promise<Turn | 'lost' | null> {
  const { line, beside, options, extractor, unsettled, rereads } = node;
  const { leaseMs, turnsPerTenant } = options;
  await unsettled.handBack(line.taking);
  const { next, full } = pace;
  // All of a turn wait for the slowest answer.
  const atOnce = extractor?.atOnce ?? full.documents;
  const documents = Math.min(next.documents, atOnce);
  // After trouble with Postgres one by one, so that it shows whether one of them is the reason.
  const most = { lanes: unsettled.isInTrouble ? 1 : documents, documents, bytes: next.bytes };
  const taking = { holder: taker.holder, leaseMs, turnsPerTenant, ...most };
  const fresh = await updateLanesTakenAcrossTenants(line.taking, taking);
  const lanes = fresh.length > 0 || unsettled.isInTrouble ? fresh : await rereads.take(node, taking);
  const [first] = lanes;
  if (!first) return null;
  taker.onTaken(lanes);

  const isSmall = !first.isAgain && isSmallTurn(lanes, { ...full, documents: Math.min(full.documents, atOnce) });
  const noteCompany = () => {
    // A document that is suspected was taken alone, and says nothing of how many there are.
    if (first.isAgain || first.suspects > 0 || first.documents.length === 0) return;
    pace.met(first.tenant_id, isSmall || lanes.some(({ tenant_id }) => tenant_id !== first.tenant_id));
  };
  noteCompany();
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
    // Of several tenants only those who have little share a turn, so that the name of one of them will do.
    const inHand = { tenantId: first.tenant_id, isSmall };
    return await line.during(inHand, async (db) => {
      const parts = { ...node, db };
      return conclude(parts, await carryOut(parts, pace, lanes, watcher));
    });
  } catch (error) {
    // That Postgres was away is no document's fault. Any other error may be: then the leases are left to run out.
    if (isUnavailable(error)) for (const lane of lanes) unsettled.add(lane, error);
    throw error;
  } finally {
    clearInterval(extending);
    noteCompany();
    if (first.isAgain) rereads.done();
  }
}

interface Done {
  lease: Lease;
  outcome: Outcome;
}

/** Tidies up after each lane, and adds up what became of them. */
async function conclude({ db, unsettled, options, onFailed }: TurnParts, done: Done[]): Promise<Turn | 'lost'> {
  const turn: Turn = { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0 };
  const locked: Lease[] = [];
  let isLost = true;
  for (const { lease, outcome } of done) {
    if (outcome === 'lost') unsettled.add(lease, null);
    else isLost = false;
    if (typeof outcome === 'string') {
      if (lease.isAgain && outcome !== 'lost') await updateRereadHandedBack(db, lease, options.lockPatienceMs);
      else if (outcome !== 'lost') locked.push(lease);
      continue;
    }
    unsettled.settled(lease);
    turn.documents += outcome.documents;
    turn.processed += outcome.processed;
    turn.failed += outcome.failed;
    turn.retried += outcome.retried;
    turn.superseded += outcome.superseded;
    for (const { error, ...failed } of outcome.failures)
      onFailed({ tenant_id: lease.tenant_id, scope_id: lease.scope_id, ...failed, error: loggable(error) });
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
  const settle = async (inWork: LaneInWork[]): Promise<Done[]> => {
    const outcomes = await settleTurn(parts, inWork, watcher);
    return inWork.map(({ lane }, n) => ({ lease: lane, outcome: outcomes[n] as Outcome }));
  };
  try {
    return await settle(await readLanes(parts, pace, lanes, watcher));
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
      const nothing = { documents: 0, processed: 0, failed: 0, retried: 0, superseded: 0, failures: [] };
      return [{ lease: first, outcome: held.length > 0 ? nothing : 'lost' }];
    }
    const refusal = `Postgres refused what was found in it: ${error.message} (${error.code}).`;
    const results = [failureOf(document, cut(refusal, MAX_REFUSAL), options)];
    return settle([{ lane: first, read: [], results, since: performance.now() }]);
  }
}
