/** The claims of a document in order of its text, each with the hashes that its ids are made of. Pure. */
import type { Claim } from '../claim.ts';
import { groupOf, valueHash } from '../extract/groups.ts';
import { hash53 } from '../extract/hash.ts';
import { hasPlace } from './claim.ts';

export interface PlacedClaim {
  claim: Claim;
  /** Among all claims of the document, from 0 on. */
  nth: number;
  /** Among those of the same span. */
  nthOfSpan: number;
}

export function inOrder(claims: Claim[]): PlacedClaim[] {
  const sorted = claims.toSorted((one, other) => startOf(one) - startOf(other) || one.span.end - other.span.end);
  let nthOfSpan = 0;
  return sorted.map((claim, nth) => {
    const before = sorted[nth - 1]?.span;
    nthOfSpan = before?.start === claim.span.start && before.end === claim.span.end ? nthOfSpan + 1 : 0;
    return { claim, nth, nthOfSpan };
  });
}

/** What has no place in the text comes after all that has. */
const startOf = (claim: Claim) => (hasPlace(claim) ? claim.span.start : Number.MAX_SAFE_INTEGER);

export interface ClaimHashes {
  group: number;
  value: number;
  /** Of what it says and where. */
  claim: number;
}

export function hashesOf({ claim, nthOfSpan }: PlacedClaim): ClaimHashes {
  const [group, value] = [groupOf(claim), valueHash(claim)];
  const { start, end } = claim.span;
  return { group, value, claim: hash53([start, end, nthOfSpan, group, value].join(' ')) };
}
