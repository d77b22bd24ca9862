/** The keys of a document, under which it meets those that may contradict it: so many at most, chosen by what it says alone. */
import type { Claim, ClaimSet } from '../claim.ts';
import { claimKeys, keysOfClaims } from './claim-keys.ts';

export { groupsOf } from './groups.ts';

/**
 * For each key a document is compared with fifteen others at most. One sentence still meets the one that it contradicts among
 * a hundred others in all trials, and among five hundred in 95 %, as with all keys; with 1,024 keys in 97 and 88 %.
 */
export const MAX_KEYS = 2048;

/** In ascending order. */
export function keysOf({ claims }: ClaimSet): number[] {
  const keys = distinct(keysOfClaims(claims));
  return keys.length <= MAX_KEYS ? keys : chosen(claims);
}

/**
 * The lowest key of each claim, then the second of each, and so on: none of them is left without a key as long as there is
 * room, and of what two documents both say they keep the same. The lowest of all are mostly those of long sentences: 93 and
 * 64 % would meet.
 */
function chosen(claims: Claim[]): number[] {
  const lists = claims.map((claim) => distinct(claimKeys(claim)));
  const kept = new Set<number>();
  for (let nth = 0; kept.size < MAX_KEYS; nth++) {
    const next: number[] = [];
    for (const list of lists) if (nth < list.length) next.push(list[nth] as number);
    for (const key of distinct(next)) if (kept.size < MAX_KEYS) kept.add(key);
  }
  return distinct([...kept]);
}

/** Memory for so many numbers costs more than sorting them, and is kept. */
let scratch = new Float64Array(MAX_KEYS);

/** Sorted, each once. */
function distinct(keys: number[]): number[] {
  if (keys.length > scratch.length) scratch = new Float64Array(2 * keys.length);
  scratch.set(keys);
  const sorted = scratch.subarray(0, keys.length).sort();
  const once: number[] = [];
  let last = -1;
  for (let at = 0; at < sorted.length; at++) {
    const key = sorted[at] as number;
    if (key !== last) once.push(key);
    last = key;
  }
  return once;
}
