/** Remembers what was used last, as much of it as fits. */

/**
 * What is left when there is no more room: a Map has to step over all that was deleted before its first entry, and would do
 * so for each that is put if they went one at a time.
 */
const LEFT = 0.9;

interface Entry<Value> {
  value: Value;
  size: number;
  /** Since it was last considered: to move each that is used to the end of the map took a tenth of the main thread's time. */
  isUsed: boolean;
}

export class Recent<Key, Value> {
  readonly #most: number;
  readonly #onCrowdedOut: (key: Key) => void;
  /** The one that was put, or spared, longest ago comes first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #size = 0;

  /** `most` is of all sizes together. It tells of each for which there was no room. */
  constructor(most: number, onCrowdedOut: (key: Key) => void = () => {}) {
    this.#most = most;
    this.#onCrowdedOut = onCrowdedOut;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** One that is too large by itself is not kept. */
  put(key: Key, value: Value, size: number): void {
    this.drop(key);
    if (size > this.#most) {
      this.#onCrowdedOut(key);
      return;
    }
    this.#entries.set(key, { value, size, isUsed: false });
    this.#size += size;
    if (this.#size > this.#most) this.#makeRoom(key);
  }

  drop(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Each that was used is spared once, and so is the newest. */
  #makeRoom(newest: Key): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size <= LEFT * this.#most) break;
      if (!entry.isUsed && key !== newest) {
        this.drop(key);
        this.#onCrowdedOut(key);
        continue;
      }
      if (this.#entries.size === 1) break;
      entry.isUsed = false;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
  }
}
