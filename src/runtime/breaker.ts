/** Leaves alone for a while what has failed time after time; then one call tries it for all. */

export interface BreakerOptions {
  /** What it did time after time, as those read it who are refused. */
  what: string;
  failuresInARow: number;
  restMs: number;
}

export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #restsUntil = 0;
  #isOnTrial = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Why it is not to be called now; null when it may be. */
  refusal(): string | null {
    if (!this.#isOpen) return null;
    const { what } = this.#options;
    const left = this.#restsUntil - performance.now();
    if (left > 0) return `${what} repeatedly; left alone until ${new Date(Date.now() + left).toISOString()}`;
    return this.#isOnTrial ? `${what} repeatedly; another document is trying it` : null;
  }

  /** To be called when there is no refusal. A call on trial says when it is over, however it went. */
  begin(): { isTrial: boolean; over(): void } {
    const isTrial = this.#isOpen;
    if (isTrial) this.#isOnTrial = true;
    return {
      isTrial,
      over: () => {
        if (isTrial) this.#isOnTrial = false;
      },
    };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restsUntil = 0;
  }

  /** Calls that began before it was left alone, and fail later, do not make that any longer. */
  failed(): void {
    this.#failures++;
    const now = performance.now();
    if (this.#isOpen && now >= this.#restsUntil) this.#restsUntil = now + this.#options.restMs;
  }

  get #isOpen(): boolean {
    return this.#failures >= this.#options.failuresInARow;
  }
}
