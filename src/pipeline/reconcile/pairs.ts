/** Which claims of two documents are held against each other: those that share a key, within a limit. */
import { claimKeys } from '../extract/claim-keys.ts';
import { SHORT, type Side } from './side.ts';
import type { View } from './view.ts';

/** Of the claims of one document under one key the first ones stand for all: a text may say 'one hundred' without end. */
const CLAIMS_PER_KEY = SHORT;
/** So many are compared in a few milliseconds; with three times as many, 5,310 pairs of real documents gave the same. */
export const MAX_PAIRS = 1000;

/** By the sorts of two claims, whether anything can come of holding them against each other. */
export type Filter = (one: number, other: number) => boolean;
export const isAnyPair: Filter = () => true;

/** Places in the claims of each side. Those with a rare key come first, as these are the likeliest to be of one thing. */
export function pairsOf(a: Side, b: Side, isHeld: Filter = isAnyPair): [a: number, b: number][] {
  if (areShort(a, b)) return allPairs(a, b, isHeld);
  const seen = new Set<number>();
  const pairs: [number, number][] = [];
  for (const { left, right } of sharedKeys(indexOf(a), indexOf(b)))
    for (const one of left)
      for (const other of right) {
        const place = one * b.claims.length + other;
        if (seen.has(place)) continue;
        seen.add(place);
        if (isHeld(a.sorts[one] as number, b.sorts[other] as number)) pairs.push([one, other]);
        // Those that are left out count, so that it is the same ones that are cut off.
        if (seen.size >= MAX_PAIRS) return pairs;
      }
  return pairs;
}

/**
 * Of two short documents no pair is cut off, whatever their keys. As hardly any two claims contradict each other, it costs
 * least to hold all against all and to ask for a shared key last.
 */
export const areShort = (a: Side, b: Side): boolean => a.isShort && b.isShort;

function allPairs({ sorts: left }: Side, { sorts: right }: Side, isHeld: Filter): [number, number][] {
  const pairs: [number, number][] = [];
  for (let one = 0; one < left.length; one++) {
    const sort = left[one] as number;
    for (let other = 0; other < right.length; other++)
      if (isHeld(sort, right[other] as number)) pairs.push([one, other]);
  }
  return pairs;
}

export function shareKey(a: View, b: View): boolean {
  const keys = new Set(claimKeys(a.claim));
  return claimKeys(b.claim).some((key) => keys.has(key));
}

interface Shared {
  key: number;
  left: number[];
  right: number[];
}

function sharedKeys(one: Index, other: Index): Shared[] {
  const shared: Shared[] = [];
  let pairs = 0;
  for (const key of (one.size < other.size ? one : other).keys()) {
    const [left, right] = [one.get(key), other.get(key)];
    if (!left || !right) continue;
    shared.push({ key, left, right });
    pairs += left.length * right.length;
  }
  // Where all of them are compared, it does not matter which come first.
  if (pairs <= MAX_PAIRS) return shared;
  return shared.sort((a, b) => a.left.length * a.right.length - b.left.length * b.right.length || a.key - b.key);
}

/** The claims of a document by their keys. */
type Index = Map<number, number[]>;

/** One document is held against many. */
const indexes = new WeakMap<Side, Index>();

function indexOf(side: Side): Index {
  const known = indexes.get(side);
  if (known) return known;
  const byKey = new Map<number, number[]>();
  side.claims.forEach(({ claim }, index) => {
    for (const key of claimKeys(claim)) {
      const list = byKey.get(key);
      if (!list) byKey.set(key, [index]);
      else if (list.length < CLAIMS_PER_KEY && list.at(-1) !== index) list.push(index);
    }
  });
  indexes.set(side, byKey);
  return byKey;
}
