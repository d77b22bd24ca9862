/** Remembers what was used last, as much of it as fits. */

/**
 * What is left when there is no more room: a Map has to step over all that was deleted before its first entry, and would do
 * so for each that is put if they went one at a time.
 */
const LEFT = 0.9;

export class Recent<Key, Value> {
  readonly #most: number;
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  #size = 0;

  /** `most` is of all sizes together. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** One that is too large by itself is not kept. */
  put(key: Key, value: Value, size: number): void {
    this.drop(key);
    if (size > this.#most) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    if (this.#size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= LEFT * this.#most) break;
      this.drop(oldest);
    }
  }

  drop(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
