/** How many a second, over the last ten seconds. */

const SECONDS = 10;

export class Rate {
  readonly #counts = new Array<number>(SECONDS).fill(0);
  #second = now();

  add(n = 1): void {
    this.#forget();
    this.#counts[this.#second % SECONDS] = (this.#counts[this.#second % SECONDS] ?? 0) + n;
  }

  perSecond(): number {
    this.#forget();
    return Math.round((this.#counts.reduce((sum, n) => sum + n, 0) / SECONDS) * 100) / 100;
  }

  /** Empties the seconds that have passed since it was last used. */
  #forget(): void {
    const second = now();
    for (let gone = this.#second + 1; gone <= Math.min(second, this.#second + SECONDS); gone++)
      this.#counts[gone % SECONDS] = 0;
    this.#second = second;
  }
}

const now = () => Math.floor(performance.now() / 1000);
