/** Remembers answers of the database for a moment: asked once for a burst, bounded in number, failures forgotten. */

export class Remember<Value> {
  readonly #load: (name: string) => Promise<Value | null>;
  readonly #forMs: number;
  readonly #most: number;
  readonly #known = new Map<string, { asked: number; value: Promise<Value | null> }>();

  constructor(load: (name: string) => Promise<Value | null>, forMs: number, most: number) {
    this.#load = load;
    this.#forMs = forMs;
    this.#most = most;
  }

  find(name: string): Promise<Value | null> {
    const now = performance.now();
    const known = this.#known.get(name);
    if (known && now - known.asked < this.#forMs) return known.value;

    // The promise is what is remembered, so that a burst for a name not seen before asks once.
    const value = this.#load(name);
    this.#known.delete(name);
    this.#known.set(name, { asked: now, value });
    if (this.#known.size > this.#most) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    // Only what was found is worth a place: guesses would push the rest out, and failures must be asked again.
    const drop = () => this.#known.get(name)?.value === value && this.#known.delete(name);
    value.then((found) => found ?? drop(), drop);
    return value;
  }

  forget(name?: string): void {
    if (name === undefined) this.#known.clear();
    else this.#known.delete(name);
  }
}
