/** The claims of readings by what they say in which group, as they are shown. A reading that is not in pieces is decoded once. */
import type { ShownClaim } from '../contract/claims.ts';
import type { Claim } from '../pipeline/claim.ts';
import { claimInPiece } from '../pipeline/claim-pieces.ts';
import { decodeClaims } from '../pipeline/claim-text.ts';
import { groupOf, valueHash } from '../pipeline/extract/groups.ts';
import { shownClaim } from '../pipeline/shown/claim.ts';
import type { SaidBy } from '../storage/facts.ts';

export interface FoundClaim extends Pick<SaidBy, 'document_id' | 'finished_at'> {
  claim: ShownClaim;
}

export class ShownClaims {
  readonly #readings: Map<number, SaidBy>;
  readonly #claims = new Map<number, Map<string, Claim>>();

  constructor(readings: Map<number, SaidBy>) {
    this.#readings = readings;
  }

  /** Whether there was no room for it. */
  isLeftOut(seq: number): boolean {
    return this.#readings.get(seq)?.left_out ?? false;
  }

  /** The first that says so; null where other rules have read it. */
  find(seq: number, group: number, value: number): FoundClaim | null {
    const reading = this.#readings.get(seq);
    const claim = reading && this.#claimOf(seq, reading, group, value);
    if (!claim) return null;
    return { document_id: reading.document_id, finished_at: reading.finished_at, claim: shownClaim(claim) };
  }

  #claimOf(seq: number, reading: SaidBy, group: number, value: number): Claim | undefined {
    if (!reading.pieces) return this.#claimsOf(seq, reading).get(nameOf(group, value));
    const found = reading.pieces.find(([its, said]) => its === group && said === value);
    return found && claimInPiece(found[3], found[2]);
  }

  #claimsOf(seq: number, { claims }: SaidBy): Map<string, Claim> {
    const known = this.#claims.get(seq);
    if (known) return known;
    const bySaying = new Map<string, Claim>();
    for (const claim of claims === null ? [] : decodeClaims(claims).claims) {
      const name = nameOf(groupOf(claim), valueHash(claim));
      if (!bySaying.has(name)) bySaying.set(name, claim);
    }
    this.#claims.set(seq, bySaying);
    return bySaying;
  }
}

const nameOf = (group: number, value: number) => `${group} ${value}`;
