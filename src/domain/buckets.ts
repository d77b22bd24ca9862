/** Token buckets, one for each name: how much may be done at once after a pause, and how fast it comes back. */

/** Beyond so many names, the one that has been silent longest is forgotten: its bucket is full again. */
const REMEMBERED_MOST = 10_000;

export interface Pace {
  perSecond: number;
  atOnce: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes so many, as long as there are `least`: a bucket may go into debt, and pays it back. Returns 0, or after how many
   * seconds to come again.
   */
  take(name: string, pace: Pace, count: number, least = 1): number {
    const wait = this.wait(name, pace, least);
    const bucket = this.#buckets.get(name);
    if (wait === 0 && bucket) bucket.tokens -= count;
    return wait;
  }

  /** The same without taking any. */
  wait(name: string, pace: Pace, least = 1): number {
    const { tokens } = this.#refill(name, pace);
    return tokens < least ? Math.max(1, Math.ceil((least - tokens) / pace.perSecond)) : 0;
  }

  #refill(name: string, { perSecond, atOnce }: Pace): Bucket {
    const now = performance.now();
    const bucket = this.#buckets.get(name) ?? { tokens: atOnce, at: now };
    bucket.tokens = Math.min(atOnce, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    // The one heard of last stands last.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > REMEMBERED_MOST) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return bucket;
  }
}
