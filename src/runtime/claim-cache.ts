/**
 * What documents say, as it is stored, and kept at hand for those that come after: one document is compared with many. By
 * the rules in force, and others are not kept, a seq has one reading for ever, so that what is here cannot be out of date. It
 * may be of a document that was deleted: such a one is no longer looked for, and what is found of it all the same is not
 * settled.
 */
import type { Queryable } from '../domain/database.ts';
import { RULES } from '../pipeline/claim.ts';
import type { Lease } from '../storage/lanes.ts';
import { listClaims, type StoredClaims } from '../storage/readings.ts';
import { Recent } from './recent.ts';

type Place = Pick<Lease, 'scope_key' | 'generation'>;

/** In characters; some twenty thousand short documents. */
export const MAX_KEPT = 24_000_000;
/** What is handed out at once: in characters of what is here, and in bytes of storage, where it is compressed. */
const MAX_LISTED = 16_000_000;
const LISTED_BYTES = 4_000_000;
/** So many in any case, so that two documents can be compared, however long. */
const LISTED_LEAST = 2;

/** What may be handed out over several lists: however many scopes they are of, no more is in memory than for one. */
export class Room {
  #left = MAX_LISTED;
  #least = LISTED_LEAST;

  get least(): number {
    return this.#least;
  }

  get characters(): number {
    return this.#left;
  }

  get bytes(): number {
    return Math.max(0, Math.floor((LISTED_BYTES * this.#left) / MAX_LISTED));
  }

  take(listed: StoredClaims[]): void {
    for (const { claims } of listed) this.#left -= claims?.length ?? 0;
    if (listed.length > 0) this.#least = 0;
  }
}

export class ClaimCache {
  readonly #kept = new Recent<string, StoredClaims>(MAX_KEPT);
  readonly counts = { hits: 0, misses: 0 };

  /** Those that are stored, with claims that are null for what would have been too much at once. */
  async list(db: Queryable, place: Place, seqs: number[], room = new Room()): Promise<StoredClaims[]> {
    const missing: number[] = [];
    let left = room.characters;
    const kept = seqs.flatMap((seq, nth): StoredClaims[] => {
      const one = this.#kept.get(nameOf(place, seq));
      if (!one) missing.push(seq);
      left -= one?.claims?.length ?? 0;
      return one ? [left >= 0 || nth < room.least ? one : { ...one, claims: null }] : [];
    });
    this.counts.hits += kept.length;
    this.counts.misses += missing.length;
    const stored = missing.length > 0 ? await listClaims(db, place, missing, RULES, room.bytes, room.least) : [];
    this.add(place, stored);
    const listed = [...kept, ...stored];
    room.take(listed);
    return listed;
  }

  /** What is stored by now. */
  add(place: Place, stored: StoredClaims[]): void {
    for (const { seq, document_id, claims } of stored)
      if (claims !== null) this.#kept.put(nameOf(place, seq), { seq, document_id, claims }, claims.length);
  }
}

const nameOf = ({ scope_key, generation }: Place, seq: number) => `${scope_key} ${generation} ${seq}`;
