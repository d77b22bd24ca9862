/** Of what sort a claim is. Nearly all claims that meet are of two sorts, and such never exclude each other. */
import type { Claim } from '../claim.ts';
import { hash53 } from '../extract/hash.ts';
import { normalise } from '../values/normal.ts';

/** It may be held against claims of any sort. */
const CELL = 1;
/** It is held against none. */
const NONE = 0;

/** For `mayExclude`. */
export function sortOf(claim: Claim): number {
  const { kind, modality } = claim;
  if (claim.isCell) return CELL;
  if (modality === 'question' || modality === 'hypothesis') return NONE;
  if (claim.kind !== 'quantity') return hash53(`${kind} ${modality}`);
  const { dimension, unit } = normalise(claim.value);
  // Dates are compared whatever their units, and one may be an end of the other's period.
  return hash53(dimension === 'date' ? `${modality} ${dimension}` : `${modality} ${dimension} ${unit} ${claim.role}`);
}

/** Where this says no, `compare` finds that they do not exclude each other. */
export const mayExclude = (one: number, other: number): boolean =>
  one === other ? one > CELL : one === CELL || other === CELL;
