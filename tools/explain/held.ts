/** Which claims of two documents are held against each other, and what came of each pair, as the pipeline tells it. */
import type { ClaimSet } from '../../src/pipeline/claim.ts';
import { reconcile } from '../../src/pipeline/reconcile/reconcile.ts';
import type { Held } from '../../src/pipeline/reconcile/trace.ts';

export interface Explained {
  held: Held[];
  /** What keeps the documents apart as a whole. */
  whole: string[];
}

/** Those that were found come first, then those that nearly were. */
const OUTCOMES: Held['outcome'][] = ['found', 'left out', 'agree', 'apart'];

export function heldAgainst(a: ClaimSet, b: ClaimSet): Explained {
  const told: Held[] = [];
  const whole: string[] = [];
  const found = reconcile(a, b, { pair: (held) => told.push(held), whole: (why) => whole.push(why) });
  const reasonOf = ({ a: one, b: other, why }: Held): string => {
    const conflict = found.find((of) => of.a === one && of.b === other);
    return conflict ? `by ${why}, ${conflict.severity}: ${conflict.reason}` : why;
  };
  const held = OUTCOMES.flatMap((outcome) => told.filter((pair) => pair.outcome === outcome));
  return { held: held.map((pair) => ({ ...pair, why: reasonOf(pair) })), whole };
}
