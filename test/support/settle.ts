/** Settles lanes that a test has taken, with documents that say nothing. */
import { ScopeIndex } from '../../src/domain/settle/scope-index.ts';
import { type LaneWork, type Outcome, settleLanes } from '../../src/domain/settle/settle.ts';
import type { Result } from '../../src/storage/batches.ts';
import type { Database } from '../../src/storage/database.ts';
import { listStillClaimed, type TakenLane } from '../../src/storage/lanes.ts';
import { listReadingsSince } from '../../src/storage/readings.ts';
import { convergence } from './convergence.ts';

/** With its scope as it is now. */
export async function settleTaken(db: Database, lane: TakenLane, results: Result[]): Promise<Outcome> {
  const still = (await listStillClaimed(db, [lane])).get(lane.scope_key);
  const [now] = await listReadingsSince(db, [{ scope_key: lane.scope_key, known: -1, after: -1 }], 1);
  const documents = lane.documents.filter(({ seq }) => still?.has(seq));
  const work = workOf({ ...lane, documents, head: now?.head ?? lane.head }, results);
  const [outcome] = await settleLanes(db, lane, [work], { convergence, unfiledKeys: 1000, patienceMs: 5000 });
  return outcome as Outcome;
}

export function workOf(lane: TakenLane, results: Result[]): LaneWork {
  return {
    ...{ lease: lane, head: lane.head, index: new ScopeIndex(lane.generation), claimed: lane.documents, results },
    ...{ readings: [], conflicts: [], dropped: [], older: [], leaving: [] },
    worked_ms: 1,
  };
}
