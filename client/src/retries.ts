/** When something is tried again: what may pass, so many times in a row, and never sooner than the service asks. */
import { ConnectionError, DocketError } from './errors.ts';

export interface RetryOptions {
  /** So many times in a row that nothing came of. */
  maxRetries: number;
  /** The first pause; each is twice as long as the one before. */
  retryMs: number;
}

const MAX_PAUSE_MS = 10_000;
/** Whoever is asked to wait for longer is told so instead, and may do something else meanwhile. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Late, too much, or nobody there: 502 and 504 are those of a proxy. */
const PASSING = new Set([408, 429, 502, 503, 504]);

export function mayPass(error: unknown): error is DocketError {
  if (!(error instanceof DocketError) || (error.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
  return error instanceof ConnectionError || PASSING.has(error.status);
}

/** Spread out, so that many who were refused together do not come back together. */
export function pauseOf(
  { retryAfterMs }: DocketError,
  failures: number,
  retryMs: number,
  random = Math.random,
): number {
  if (retryAfterMs !== null) return retryAfterMs + random() * retryMs;
  return Math.min(retryMs * 2 ** failures, MAX_PAUSE_MS) * (0.5 + random() / 2);
}

export class Retries {
  readonly #options: RetryOptions;
  readonly #signal: AbortSignal | undefined;
  #failures = 0;
  #attempts = 0;

  constructor(options: RetryOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  /** To be called whenever an attempt has brought something: only what fails in a row is counted. */
  progressed(): void {
    this.#failures = 0;
  }

  /** Waits until it is time for the next attempt; throws what this one failed with when there is to be none. */
  async after(error: unknown): Promise<void> {
    this.#attempts++;
    if (error instanceof DocketError) error.attempts = this.#attempts;
    if (!mayPass(error) || this.#failures >= this.#options.maxRetries) throw error;
    await pause(pauseOf(error, this.#failures++, this.#options.retryMs), this.#signal);
  }
}

/** Throws the reason when it is given up. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
