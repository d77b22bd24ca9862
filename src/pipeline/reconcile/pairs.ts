/** Which claims of two documents are held against each other: those that share a key, within a limit. */
import type { ClaimSet } from '../claim.ts';
import { claimKeys } from '../extract/keys.ts';

/** Of the claims of one document under one key the first ones stand for all: a text may say 'one hundred' without end. */
const CLAIMS_PER_KEY = 12;
/** So many are compared in a few milliseconds, whatever the texts are. */
export const PAIRS_MOST = 3000;

/** Places in the claims of each side. Those with a rare key come first, as these are the likeliest to be of one thing. */
export function pairsOf(a: ClaimSet, b: ClaimSet): [a: number, b: number][] {
  const [left, right] = [indexOf(a), indexOf(b)];
  const shared = [...left.keys()].filter((key) => right.has(key));
  const size = (key: number) => (left.get(key)?.length ?? 0) * (right.get(key)?.length ?? 0);
  shared.sort((one, other) => size(one) - size(other) || one - other);
  const seen = new Set<number>();
  const pairs: [number, number][] = [];
  for (const key of shared)
    for (const one of left.get(key) ?? [])
      for (const other of right.get(key) ?? []) {
        const place = one * b.claims.length + other;
        if (seen.has(place)) continue;
        seen.add(place);
        pairs.push([one, other]);
        if (pairs.length >= PAIRS_MOST) return pairs;
      }
  return pairs;
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
