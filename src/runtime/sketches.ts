/**
 * Tells documents apart that share a key and are about different subjects, before anything of what they claim is looked up, sent to a
 * thread, or taken apart there. A sketch takes a twenty-fifth of the memory of a document that is taken apart, so that many are at hand.
 */
import type { Queryable } from '../domain/database.ts';
import type { Pair } from '../pipeline/candidates.ts';
import { RULES } from '../pipeline/claim.ts';
import { areApart, type Sketch } from '../pipeline/reconcile/sketch.ts';
import { listSketches, type Place, type Reading } from '../storage/readings.ts';
import { inPieces } from './in-pieces.ts';
import type { Lane } from './lane-candidates.ts';
import { Recent } from './recent.ts';

/** In bytes, as measured: some fifty thousand short documents. */
const MAX_KEPT = 16_000_000;
const ENTRY_BYTES = 185;
const WORD_BYTES = 8;
/** So many are looked up at once. */
const MAX_LISTED = 5000;
/** So many pairs without a stop: two that are made for it take a microsecond and a half. */
const PIECE = 100;

/** By seq; null for a document of which nothing is told. */
type KnownSketches = Map<number, Sketch | null>;

/** A sketch that is to be looked up, and where it goes then. */
interface Missing {
  place: Place;
  seq: number;
  sketches: KnownSketches;
}

export class Sketches {
  /** Those of other rules are never asked for, so that what is here cannot be out of date. */
  readonly #kept = new Recent<string, Sketch | null>(MAX_KEPT);
  /** A hit is a document of which it need not ask, and a miss one that is looked up. */
  readonly counts = { hits: 0, misses: 0 };

  /** What is stored by now. */
  add(place: Place, readings: Pick<Reading, 'seq' | 'sketch'>[]): void {
    for (const { seq, sketch } of readings) this.#put(place, seq, sketch);
  }

  /** Of each lane, the pairs of documents that are to be compared and are not told apart. */
  async tellApart(db: Queryable, lanes: Lane[]): Promise<Map<Lane, Pair[]>> {
    const { known, missing } = await inPieces(this.#known(lanes));
    this.counts.misses += missing.length;
    for (let at = 0; at < missing.length; at += MAX_LISTED) {
      const piece = missing.slice(at, at + MAX_LISTED);
      const found = await listSketches(db, piece, RULES);
      for (const [n, { place, seq, sketches }] of piece.entries()) {
        const sketch = found[n] ?? null;
        sketches.set(seq, sketch);
        this.#put(place, seq, sketch);
      }
    }
    return inPieces(leftOf(known));
  }

  /** Of the documents of each lane that are to be compared; nothing is asked of those that come to one of which nothing is told. */
  *#known(lanes: Lane[]): Generator<void, { known: Map<Lane, KnownSketches>; missing: Missing[] }> {
    const known = new Map<Lane, KnownSketches>();
    const missing: Missing[] = [];
    for (const lane of lanes) {
      const { lease: place, scope, readings, change } = lane;
      const sketches: KnownSketches = new Map(readings.map(({ seq, sketch }) => [seq, sketch]));
      const asked = new Set<number>();
      for (const [n, pair] of change.joined.entries()) {
        if (n % PIECE === 0) yield;
        if (pair.some((seq) => sketches.get(seq) === null)) continue;
        for (const seq of pair) {
          if (sketches.has(seq) || asked.has(seq)) continue;
          const reading = scope.index.get(seq);
          const sketch = reading ? reading.sketch : this.#get(place, seq);
          if (sketch !== undefined) sketches.set(seq, sketch);
          else {
            asked.add(seq);
            missing.push({ place, seq, sketches });
          }
        }
      }
      this.counts.hits += sketches.size - readings.length;
      known.set(lane, sketches);
    }
    return { known, missing };
  }

  #get({ scope_key, generation }: Place, seq: number): Sketch | null | undefined {
    return this.#kept.get(`${scope_key} ${generation} ${seq}`);
  }

  #put({ scope_key, generation }: Place, seq: number, sketch: Sketch | null): void {
    this.#kept.put(`${scope_key} ${generation} ${seq}`, sketch, ENTRY_BYTES + WORD_BYTES * (sketch?.length ?? 0));
  }
}

function* leftOf(known: Map<Lane, KnownSketches>): Generator<void, Map<Lane, Pair[]>> {
  const all = new Map<Lane, Pair[]>();
  for (const [lane, sketches] of known) {
    const left: Pair[] = [];
    for (const [n, pair] of lane.change.joined.entries()) {
      if (n % PIECE === 0) yield;
      const [one, other] = [sketches.get(pair[0]), sketches.get(pair[1])];
      if (!one || !other || !areApart(one, other)) left.push(pair);
    }
    all.set(lane, left);
  }
  return all;
}
