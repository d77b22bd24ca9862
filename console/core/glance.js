/** Reads what is looked at for longer than a moment, and gives up what was left meanwhile: who leafs through many reads only the last. */

const MOMENT_MS = 150;

export class Glance {
  #signal;
  #stop = new AbortController();

  constructor(signal) {
    this.#signal = signal;
  }

  /** What was begun before is given up. */
  leave() {
    this.#stop.abort();
  }

  /** The signal for reading the next, when that was looked at for a moment; throws when it was left before. */
  async next() {
    this.leave();
    this.#stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#stop.signal]);
    await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
    signal.throwIfAborted();
    return signal;
  }
}
