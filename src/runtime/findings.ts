/** What a turn found out: what its documents say, and where that contradicts what others of their scope say. */
import type { LaneWork } from '../domain/settle/settle.ts';
import { listDetectedBetween } from '../storage/detected.ts';
import { type Compared, type ComparingParts, compareAll } from './comparisons.ts';
import { findCandidates, findDropped, type LaneRead } from './lane-candidates.ts';

/** `troubled` are documents that could not be compared, with the reason; null for those that are to be taken again. */
export interface Findings extends Pick<LaneWork, 'readings' | 'conflicts' | 'dropped' | 'older' | 'leaving'> {
  troubled: Map<number, string | null>;
}

/**
 * What was found in each lane, in order. Where a document could not be compared, the others are looked at once more without
 * it: it may have displaced some of them, and is not there in the end.
 */
export async function findOut(parts: ComparingParts, read: LaneRead[]): Promise<Findings[]> {
  const all = await findAll(parts, read);
  for (const [n, { troubled }] of all.entries()) {
    const lane = read[n] as LaneRead;
    if (troubled.size === 0) continue;
    const left = lane.read.filter(({ document }) => !troubled.has(document.seq));
    const [again] = (await findAll(parts, [{ ...lane, read: left }])) as [Findings];
    all[n] = { ...again, troubled };
    if (again.troubled.size === 0) continue;
    // They were compared before: whatever it is this time, they are taken again.
    for (const { document } of left) troubled.set(document.seq, null);
    all[n] = { ...again, troubled, conflicts: [], dropped: [] };
  }
  return all;
}

async function findAll(parts: ComparingParts, read: LaneRead[]): Promise<Findings[]> {
  const lanes = await findCandidates(parts.db, read);
  const compared = await compareAll(parts, lanes);
  const parted = lanes.flatMap(({ lease, change }) => change.parted.map((seqs) => ({ place: lease, seqs })));
  const detected = Map.groupBy(await listDetectedBetween(parts.db, parted), ({ place }) => place);
  const all: Findings[] = [];
  for (const [n, lane] of lanes.entries()) {
    const { conflicts, troubled } = compared[n] as Compared;
    const dropped = await findDropped(parts.db, lane, detected.get(lane.lease) ?? []);
    // Nor is an older version of such a document done, though it was read: it would be the one that counts.
    const counted = new Map(lane.readings.map(({ document_id, seq }) => [document_id, seq]));
    for (const { document } of lane.read) {
      const seq = counted.get(document.document_id);
      if (seq !== undefined && troubled.has(seq) && !troubled.has(document.seq)) troubled.set(document.seq, null);
    }
    all.push({
      ...{ readings: lane.readings, dropped, older: lane.older, leaving: lane.leaving, troubled },
      conflicts: [...conflicts.values()],
    });
  }
  return all;
}
