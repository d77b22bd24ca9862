/** Looks up the contradictions that changes touch, and has planned what becomes of them. */
import type { WrittenContradictions } from '../../storage/batches.ts';
import type { Queryable } from '../../storage/database.ts';
import { listDetected, listFirst, type NewConflict, type WantedDetected } from '../../storage/detected.ts';
import type { Place } from '../../storage/readings.ts';
import type { Replaced } from './carry-over.ts';
import { ContradictionsChange, type ContradictionsPlan } from './contradictions.ts';

/** What changes in a scope. */
export interface FoundAndLost {
  place: Place;
  conflicts: NewConflict[];
  /** The documents whose readings go. */
  leaving: number[];
  /** Which of them others replace. */
  replaced?: Replaced | null;
  /** Contradictions whose documents are no longer compared. */
  dropped: string[];
}

/** For each change, in order. Most touch no contradiction, and nothing is looked up for them. */
export async function planContradictions(db: Queryable, changes: FoundAndLost[]): Promise<ContradictionsPlan[]> {
  const detected = await listDetected(db, changes.flatMap(wantedOf));
  const begun = changes.map(({ place, conflicts, leaving, replaced }) => ({
    place,
    change: new ContradictionsChange(conflicts, detected.get(place) ?? [], leaving, replaced),
  }));
  const none = new Map<number, number>();
  const ofDocuments = await listFirst(
    db,
    begun.map(({ place, change }) => ({ place, documents: change.documents, facts: none })),
  );
  const ofFacts = await listFirst(
    db,
    begun.map(({ place, change }) => {
      return { place, documents: none, facts: change.placeInDocuments(ofDocuments.get(place) ?? []) };
    }),
  );
  return begun.map(({ place, change }) => change.placeInFacts(ofFacts.get(place) ?? []));
}

function wantedOf({ place, conflicts, leaving, dropped }: FoundAndLost): WantedDetected[] {
  if (conflicts.length + leaving.length + dropped.length === 0) return [];
  const spokenAgainst = conflicts.flatMap(({ group_a, value_a, group_b, value_b }) => [
    { group: group_a, value: value_a },
    { group: group_b, value: value_b },
  ]);
  return [
    {
      ...{ place, pairs: conflicts.map(({ pair }) => pair), seqs: leaving, ids: dropped },
      upheld: [...new Map(spokenAgainst.map((said) => [`${said.group} ${said.value}`, said])).values()],
    },
  ];
}

/** As it is written. */
export function writesOf({ reopened, ...plan }: ContradictionsPlan): WrittenContradictions {
  const { added, moved, restated, carried, outdated, placed, gone } = plan;
  return { added, moved, restated, carried, outdated, placed, gone, reopened: reopened.map(({ id }) => id) };
}
