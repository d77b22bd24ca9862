/** Says how far a long part has come, now and then. */
import { amount, say } from '../parts/report.ts';

const EVERY_MS = 5000;

export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #began = performance.now();
  #said = performance.now();

  /** Such as `documents processed`. */
  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  at(done: number): void {
    const now = performance.now();
    if (now - this.#said < EVERY_MS) return;
    this.#said = now;
    const seconds = ((now - this.#began) / 1000).toFixed(0);
    say(`  ${amount(Math.round(done))} of ${amount(this.#total)} ${this.#what} after ${seconds} s`);
  }
}
