/** Puts two documents in an order of their own, so that it does not matter which of them came first. */
import type { ClaimSet } from './claim.ts';
import { hash53 } from './extract/hash.ts';

/** One document is held against many. */
const fingerprints = new WeakMap<ClaimSet, number>();

/** Of what it says and how that was read, which is the same after it was kept. */
export function fingerprint(set: ClaimSet): number {
  const known = fingerprints.get(set);
  if (known !== undefined) return known;
  const made = hash53(
    set.claims.map(({ sentence, attribute, shown }) => `${sentence}|${attribute}|${shown}`).join('\n'),
  );
  fingerprints.set(set, made);
  return made;
}
