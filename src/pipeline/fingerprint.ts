/** Puts two documents in an order of their own, so that it does not matter which of them came first. */
import type { ClaimSet } from './claim.ts';
import { hash53 } from './extract/hash.ts';

/** One document is held against many. */
const fingerprints = new WeakMap<ClaimSet, number>();

export function fingerprint(set: ClaimSet): number {
  const known = fingerprints.get(set);
  if (known !== undefined) return known;
  const made = hash53(JSON.stringify(set));
  fingerprints.set(set, made);
  return made;
}

/** Of a set that was kept: made anew it would be another, as fields come back in another order. */
export function keepFingerprint(set: ClaimSet, made: number): ClaimSet {
  fingerprints.set(set, made);
  return set;
}
