/**
 * What becomes of contradictions that older rules have found, when their documents are read by newer ones. Claims of two versions
 * are never compared, so such a contradiction is judged when both its documents were read by the newer rules, and stands as it
 * is until then. It is the same one when the same sentences of the same documents contradict each other. Pure.
 */
import type { DetectedContradiction, NewConflict } from '../../storage/detected.ts';

/** Versions whose readings give way to others. */
export interface Replaced {
  /** The rules that made the new readings. */
  rules: number;
  /** Which version says it now: the same one where it was read again, or the one that has superseded it. */
  seqs: Map<number, number>;
  /** They were read again, and no text has changed. */
  isAgain: boolean;
}

export interface CarriedOver {
  /** New ones. */
  added: NewConflict[];
  /** Found by the newer rules, too: the same contradiction, decided as it was. */
  restated: { was: DetectedContradiction; conflict: NewConflict }[];
  /** Decided, and of a version that was superseded before the other side was read again. */
  carried: { was: DetectedContradiction; seqs: [number, number] }[];
  /** Decided, and not found by the newer rules. */
  outdated: string[];
  /** The ids of all that do not go. */
  stays: Set<string>;
}

/** `stored`: those of which a side is replaced. `fresh`: what was found that is none of these by its identity. */
export function carryOver(
  fresh: NewConflict[],
  stored: DetectedContradiction[],
  replaced: Replaced | null,
): CarriedOver {
  const over: CarriedOver = { added: fresh, restated: [], carried: [], outdated: [], stays: new Set() };
  if (!replaced) return over;
  const older = new Map(stored.filter((one) => isOlder(one, replaced.rules)).map((one) => [one.id, one]));
  if (older.size === 0) return over;
  over.restated = restate(fresh, [...older.values()]);
  const taken = new Set(over.restated.map(({ conflict }) => conflict));
  over.added = fresh.filter((conflict) => !taken.has(conflict));
  for (const { was } of over.restated) {
    over.stays.add(was.id);
    older.delete(was.id);
  }
  for (const one of older.values()) keep(one, replaced, over);
  return over;
}

const isOlder = ({ sides }: DetectedContradiction, rules: number) =>
  sides?.rules.some((its) => its !== null && its < rules) ?? false;

export const isDecided = ({ status }: Pick<DetectedContradiction, 'status'>) =>
  status === 'resolved' || status === 'deferred';

/** What was decided has most to lose, and what is left out was never seen. */
const worthOf = (one: DetectedContradiction) => (isDecided(one) ? 2 : Number(one.status === 'open'));

/** Two sentences may contradict each other in several things: the same attribute comes first. */
function restate(fresh: NewConflict[], older: DetectedContradiction[]): CarriedOver['restated'] {
  const found = Map.groupBy(fresh, ({ document_a, document_b, claim_a, claim_b }) =>
    nameOf([document_a, document_b], [claim_a, claim_b]),
  );
  const restated = new Map<string, CarriedOver['restated'][number]>();
  const worthiestFirst = older.toSorted((one, other) => worthOf(other) - worthOf(one));
  for (const hasToFit of [true, false])
    for (const was of worthiestFirst) {
      if (restated.has(was.id) || !was.sides) continue;
      const list = found.get(nameOf(was.documents, was.sides.claims)) ?? [];
      const at = list.findIndex(({ attribute }) => !hasToFit || attribute === was.sides?.attribute);
      const [conflict] = at < 0 ? [] : list.splice(at, 1);
      if (conflict) restated.set(was.id, { was, conflict });
    }
  return [...restated.values()];
}

const nameOf = (documents: string[], claims: string[]) => JSON.stringify([...documents, ...claims]);

/** One that was not found. */
function keep(was: DetectedContradiction, { rules, seqs, isAgain }: Replaced, over: CarriedOver): void {
  const { id, sides } = was;
  if (!sides) return;
  const waits = was.seqs.some((seq, at) => !seqs.has(seq) && (sides.rules[at] ?? rules) < rules);
  if (isAgain) {
    if (!waits && !isDecided(was)) return;
    if (!waits) over.outdated.push(id);
    over.stays.add(id);
    return;
  }
  // The text is another one: what nobody has decided is found again when the other side is read again, if it is still so.
  if (!waits || !isDecided(was)) return;
  over.carried.push({ was, seqs: was.seqs.map((seq) => seqs.get(seq) ?? seq) as [number, number] });
  over.stays.add(id);
}
