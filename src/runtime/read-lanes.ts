/** Has the documents of a turn read: by an extractor of the operator's own, if there is one, and in threads. */
import type { Result } from '../storage/batches.ts';
import type { ClaimedDocument, Lease, TakenLane } from '../storage/lanes.ts';
import { askExtractor } from './ask-extractor.ts';
import { failureOf, spent } from './attempts.ts';
import type { ReadDocument } from './lane-candidates.ts';
import type { Pace } from './pace.ts';
import type { Watcher } from './thread-pool.ts';
import type { TurnParts } from './turn-parts.ts';

/** A lane in work: what was read of its documents, and what becomes of those that were not. */
export interface LaneInWork {
  lane: TakenLane;
  read: ReadDocument[];
  results: Result[];
  /** When its documents were claimed. */
  since: number;
}

/** What was read of each lane; nothing of documents that are to be taken again. */
export async function readLanes(
  parts: TurnParts,
  pace: Pace,
  lanes: TakenLane[],
  watcher: Watcher,
): Promise<LaneInWork[]> {
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
