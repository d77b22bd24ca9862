/** Puts two documents in an order of their own, so that it does not matter which of them came first. */
import type { ClaimSet } from './claim.ts';
import { hash53 } from './extract/hash.ts';

/** Of what a document says and how that was read, which is the same after it was kept. */
export function fingerprint({ claims }: ClaimSet): number {
  return hash53(claims.map(({ sentence, attribute, shown }) => `${sentence}|${attribute}|${shown}`).join('\n'));
}
