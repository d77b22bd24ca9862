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
/** In so many pairs at a time: of documents that are made for it, two take a microsecond and a half. */
const PIECE = 1000;

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
    const known = new Map(lanes.map((lane) => [lane, this.#known(lane)] as const));
    const missing = [...known].flatMap(([{ lease: place }, { sketches, missing }]) =>
      [...missing].map((seq) => ({ place, seq, sketches })),
    );
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
    const left = new Map<Lane, Pair[]>();
    for (const [lane, { sketches }] of known) left.set(lane, await inPieces(leftOf(lane.change.joined, sketches)));
    return left;
  }

  /** Of the documents of a lane that are to be compared; nothing is asked of those that come to one of which nothing is told. */
  #known({ lease, scope, readings, change }: Lane): { sketches: Map<number, Sketch | null>; missing: Set<number> } {
    const sketches = new Map<number, Sketch | null>(readings.map(({ seq, sketch }) => [seq, sketch]));
    const missing = new Set<number>();
    for (const pair of change.joined) {
      if (pair.some((seq) => sketches.get(seq) === null)) continue;
      for (const seq of pair) {
        if (sketches.has(seq) || missing.has(seq)) continue;
        const reading = scope.index.get(seq);
        const sketch = reading ? reading.sketch : this.#get(lease, seq);
        if (sketch === undefined) missing.add(seq);
        else sketches.set(seq, sketch);
      }
    }
    this.counts.hits += sketches.size - readings.length;
    return { sketches, missing };
  }

  #get({ scope_key, generation }: Place, seq: number): Sketch | null | undefined {
    return this.#kept.get(`${scope_key} ${generation} ${seq}`);
  }

  #put({ scope_key, generation }: Place, seq: number, sketch: Sketch | null): void {
    this.#kept.put(`${scope_key} ${generation} ${seq}`, sketch, ENTRY_BYTES + WORD_BYTES * (sketch?.length ?? 0));
  }
}

function* leftOf(pairs: Pair[], sketches: Map<number, Sketch | null>): Generator<void, Pair[]> {
  const left: Pair[] = [];
  for (let at = 0; at < pairs.length; at += PIECE) {
    if (at > 0) yield;
    for (const pair of pairs.slice(at, at + PIECE)) {
      const [one, other] = [sketches.get(pair[0]), sketches.get(pair[1])];
      if (!one || !other || !areApart(one, other)) left.push(pair);
    }
  }
  return left;
}
