/** Which claims of two documents are held against each other, and what came of each pair: as far as the pipeline tells. */
import type { ClaimSet } from '../../src/pipeline/claim.ts';
import { compare } from '../../src/pipeline/reconcile/compare.ts';
import { areNamesakes } from '../../src/pipeline/reconcile/namesakes.ts';
import { areShort, pairsOf, shareKey } from '../../src/pipeline/reconcile/pairs.ts';
import { reconcile } from '../../src/pipeline/reconcile/reconcile.ts';
import { type Side, sideOf } from '../../src/pipeline/reconcile/side.ts';
import { areOfOtherSubjects } from '../../src/pipeline/reconcile/subjects.ts';
import type { View } from '../../src/pipeline/reconcile/view.ts';

export interface Held {
  /** Places in the claims of each side. */
  a: number;
  b: number;
  outcome: 'found' | 'left out' | 'agree' | 'apart';
  /** The guard that kept them apart, or the rule that found them. */
  why: string;
}

export function heldAgainst(a: ClaimSet, b: ClaimSet): Held[] {
  const [one, other] = [sideOf(a), sideOf(b)];
  const found = new Map(
    reconcile(a, b).map(({ a: left, b: right, severity, reason }) => [`${left} ${right}`, `${severity}: ${reason}`]),
  );
  const asWhole = guardOf(one, other);
  return pairsOf(one, other).flatMap(([left, right]): Held[] => {
    const [viewA, viewB] = [one.claims[left] as View, other.claims[right] as View];
    const why = found.get(`${left} ${right}`);
    if (why !== undefined) return [{ a: left, b: right, outcome: 'found', why: `${viewA.claim.kind}, ${why}` }];
    // Of two short documents all claims are paired first, and a key is asked for later.
    if (!shareKey(viewA, viewB)) return [];
    const { verdict, reason } = compare(viewA, viewB);
    const outcome = { compatible: 'agree', incomparable: 'apart', incompatible: 'left out' } as const;
    return [{ a: left, b: right, outcome: outcome[verdict], why: verdict === 'incompatible' ? asWhole : reason }];
  });
}

/** Why two documents are not held against each other, whatever they claim. */
function guardOf(a: Side, b: Side): string {
  if (areShort(a, b) && areOfOtherSubjects(a, b)) return 'The documents are about different subjects.';
  if (areNamesakes(a, b) || areNamesakes(b, a)) return 'The documents are about namesakes.';
  return 'Their claims lack a common name, the other says the same elsewhere, or another pair of theirs fits better.';
}
