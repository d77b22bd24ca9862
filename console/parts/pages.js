/** A list that the service gives page by page, read as far as somebody looks. */

/** So much is kept in the page; who wants more narrows the filter. */
export const MAX_ITEMS = 5000;
/** A page may be empty and not the last: so many of those are read in a row before somebody is asked whether to go on. */
const MAX_EMPTY = 20;

export class Pages {
  items = [];
  problem = null;
  isLoading = false;
  isDone = false;
  /** Nothing was found in many pages, and there are more. */
  isPaused = false;
  #load;
  #onChange;
  #cursor;
  #stop = new AbortController();

  /** `load(cursor, signal)` gives `{ items, next }`. */
  constructor(load, onChange) {
    this.#load = load;
    this.#onChange = onChange;
  }

  get isFull() {
    return this.items.length >= MAX_ITEMS;
  }

  /** Reads on, unless it does already, has all, or waits for somebody to say so. */
  more() {
    if (!this.problem && !this.isPaused) return this.again();
  }

  /** The same when somebody has said so. */
  async again() {
    if (this.isLoading || this.isDone || this.isFull || this.#stop.signal.aborted) return;
    this.isLoading = true;
    this.isPaused = false;
    this.problem = null;
    this.#onChange();
    const before = this.items.length;
    try {
      for (let n = 0; this.items.length === before && !this.isDone; n++) {
        if (n === MAX_EMPTY) {
          this.isPaused = true;
          break;
        }
        const { items, next } = await this.#load(this.#cursor, this.#stop.signal);
        this.items = [...this.items, ...items];
        this.#cursor = next;
        this.isDone = next === null;
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.problem = error;
    }
    this.isLoading = false;
    this.#onChange();
  }

  close() {
    this.#stop.abort();
  }
}
