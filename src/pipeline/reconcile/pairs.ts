/** Which claims of two documents are held against each other: those that share a key, within a limit. */
import type { ClaimSet } from '../claim.ts';
import { claimKeys } from '../extract/claim-keys.ts';

/** Of the claims of one document under one key the first ones stand for all: a text may say 'one hundred' without end. */
const CLAIMS_PER_KEY = 12;
/** So many are compared in a few milliseconds; with three times as many, 5,310 pairs of real documents gave the same. */
export const PAIRS_MOST = 1000;

/** Places in the claims of each side. Those with a rare key come first, as these are the likeliest to be of one thing. */
export function pairsOf(a: ClaimSet, b: ClaimSet): [a: number, b: number][] {
  const seen = new Set<number>();
  const pairs: [number, number][] = [];
  for (const { left, right } of sharedKeys(indexOf(a), indexOf(b)))
    for (const one of left)
      for (const other of right) {
        const place = one * b.claims.length + other;
        if (seen.has(place)) continue;
        seen.add(place);
        pairs.push([one, other]);
        if (pairs.length >= PAIRS_MOST) return pairs;
      }
  return pairs;
}

interface Shared {
  key: number;
  left: number[];
  right: number[];
}

function sharedKeys(one: Map<number, number[]>, other: Map<number, number[]>): Shared[] {
  const shared: Shared[] = [];
  for (const [key, left] of one) {
    const right = other.get(key);
    if (right) shared.push({ key, left, right });
  }
  return shared.sort((a, b) => a.left.length * a.right.length - b.left.length * b.right.length || a.key - b.key);
}

/** One document is held against many. */
const indexes = new WeakMap<ClaimSet, Map<number, number[]>>();

function indexOf(set: ClaimSet): Map<number, number[]> {
  const known = indexes.get(set);
  if (known) return known;
  const byKey = new Map<number, number[]>();
  set.claims.forEach((claim, index) => {
    for (const key of claimKeys(claim)) {
      const list = byKey.get(key);
      if (!list) byKey.set(key, [index]);
      else if (list.length < CLAIMS_PER_KEY && list.at(-1) !== index) list.push(index);
    }
  });
  indexes.set(set, byKey);
  return byKey;
}
