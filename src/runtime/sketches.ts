/**
 * Tells documents apart that share a key and are about different subjects, before anything of what they claim is looked up, sent to a
 * thread, or taken apart there. A sketch takes a fiftieth of the memory that a document does which is compared, so that many are at hand.
 */
import type { Queryable } from '../domain/database.ts';
import type { Pair } from '../pipeline/candidates.ts';
import { RULES } from '../pipeline/claim.ts';
import { areApart, type Sketch } from '../pipeline/reconcile/sketch.ts';
import { listSketches, type Place, type Reading } from '../storage/readings.ts';
import type { Lane } from './lane-candidates.ts';
import { Recent } from './recent.ts';

/** In bytes, as measured: some fifty thousand short documents. */
const MAX_KEPT = 16_000_000;
const ENTRY_BYTES = 150;
const WORD_BYTES = 8;
/** So many are looked up at once. */
const MAX_LISTED = 5000;

interface Wanted {
  place: Place;
  seq: number;
}

export class Sketches {
  /** Those of other rules are never asked for, so that what is here cannot be out of date. */
  readonly #kept = new Recent<string, Sketch | null>(MAX_KEPT);

  /** What is stored by now. */
  add(place: Place, readings: Pick<Reading, 'seq' | 'sketch'>[]): void {
    for (const { seq, sketch } of readings) this.#put(place, seq, sketch);
  }

  /** Of each lane, the pairs of documents that are to be compared and are not told apart. */
  async tellApart(db: Queryable, lanes: Lane[]): Promise<Map<Lane, Pair[]>> {
    const known = new Map(lanes.map((lane) => [lane, this.#known(lane)] as const));
    const wanted = [...known].flatMap(([{ lease: place }, { missing }]) => [...missing].map((seq) => ({ place, seq })));
    for (let at = 0; at < wanted.length; at += MAX_LISTED) await this.#look(db, wanted.slice(at, at + MAX_LISTED));
    return new Map(
      [...known].map(([lane, { sketches, missing }]) => {
        for (const seq of missing) sketches.set(seq, this.#get(lane.lease, seq) ?? null);
        const isLeft = ([a, b]: Pair) => {
          const [one, other] = [sketches.get(a), sketches.get(b)];
          return !one || !other || !areApart(one, other);
        };
        return [lane, lane.change.joined.filter(isLeft)];
      }),
    );
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
    return { sketches, missing };
  }

  async #look(db: Queryable, wanted: Wanted[]): Promise<void> {
    for (const [n, sketch] of (await listSketches(db, wanted, RULES)).entries()) {
      const { place, seq } = wanted[n] as Wanted;
      this.#put(place, seq, sketch);
    }
  }

  #get({ scope_key, generation }: Place, seq: number): Sketch | null | undefined {
    return this.#kept.get(`${scope_key} ${generation} ${seq}`);
  }

  #put({ scope_key, generation }: Place, seq: number, sketch: Sketch | null): void {
    this.#kept.put(`${scope_key} ${generation} ${seq}`, sketch, ENTRY_BYTES + WORD_BYTES * (sketch?.length ?? 0));
  }
}
