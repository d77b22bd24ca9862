/** Token buckets, one for each name: how much may be done at once after a pause, and how fast it comes back. */

/** Beyond so many names, the one that has been silent longest is forgotten, to the second: its bucket is full again. */
const MAX_REMEMBERED = 10_000;
const IN_ORDER_MS = 1000;

export interface Pace {
  perSecond: number;
  atOnce: number;
}

interface Bucket {
  tokens: number;
  at: number;
  /** Since when it stands where it stands among the others. */
  placedAt: number;
}

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes so many, as long as there are `least`: a bucket may go into debt, and pays it back. Returns 0, or after how many
   * seconds to come again.
   */
  take(name: string, pace: Pace, count: number, least = 1): number {
    const bucket = this.#refill(name, pace);
    const wait = waitFor(bucket, pace, least);
    if (wait === 0) bucket.tokens -= count;
    return wait;
  }

  /** The same without taking any. */
  wait(name: string, pace: Pace, least = 1): number {
    return waitFor(this.#refill(name, pace), pace, least);
  }

  #refill(name: string, { perSecond, atOnce }: Pace): Bucket {
    const now = performance.now();
    const bucket = this.#buckets.get(name) ?? { tokens: atOnce, at: now, placedAt: Number.NEGATIVE_INFINITY };
    bucket.tokens = Math.min(atOnce, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (now - bucket.placedAt >= IN_ORDER_MS) this.#placeLast(name, bucket);
    return bucket;
  }

  /** The one heard of last stands last. */
  #placeLast(name: string, bucket: Bucket): void {
    bucket.placedAt = bucket.at;
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

function waitFor({ tokens }: Bucket, { perSecond }: Pace, least: number): number {
  return tokens < least ? Math.max(1, Math.ceil((least - tokens) / perSecond)) : 0;
}
