/** A value that others are told of when it changes. */
export class Store {
  #value;
  #listeners = new Set();

  constructor(value) {
    this.#value = value;
  }

  get value() {
    return this.#value;
  }

  set(value) {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** Told now and at every change, until the signal ends it. */
  watch(listener, signal) {
    this.#listeners.add(listener);
    signal?.addEventListener('abort', () => this.#listeners.delete(listener));
    listener(this.#value);
  }
}
