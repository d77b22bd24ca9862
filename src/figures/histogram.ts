/** Counts values by how large they are, in steps that never change: to count one is to add to two numbers. */

/** From a few milliseconds up to what nobody waits for any more. */
export const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** A flush has at most 128 documents, and a turn 250. */
export const DOCUMENTS = [1, 2, 5, 10, 25, 50, 100, 250] as const;

export class Histogram {
  readonly bounds: readonly number[];
  /** One for each bound, of what is not above it and above the one before, and the last of what is above all. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at++;
    counts[at] = (counts[at] as number) + 1;
    this.sum += value;
  }
}

/** How many documents went together, and how long that took. */
export class Batches {
  readonly documents = new Histogram(DOCUMENTS);
  readonly seconds = new Histogram(SECONDS);

  done(documents: number, ms: number): void {
    this.documents.observe(documents);
    this.seconds.observe(ms / 1000);
  }
}
