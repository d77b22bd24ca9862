/** The keys of operators as they were when Postgres last answered: for what is needed most while it does not. */
import { timingSafeEqual } from 'node:crypto';

/** Beyond so many, a list leaves out those that were used longest ago, and what is found by itself is not kept. */
const MOST = 1000;
/** A key that was revoked while this process could not hear of it is good for no longer. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export interface Standby {
  sha256: Buffer;
  /** When it expires, by `performance.now()`. */
  until: number;
}

export class StandbyKeys<Known extends Standby> {
  readonly #list: (most: number) => Promise<Map<string, Known>>;
  readonly #keys = new Map<string, { known: Known; asked: number }>();
  readonly #now: () => number;
  #listed = Number.NEGATIVE_INFINITY;
  #forgotten = Number.NEGATIVE_INFINITY;

  /** `list` has the good keys of operators, at most so many. */
  constructor(list: (most: number) => Promise<Map<string, Known>>, now = () => performance.now()) {
    this.#list = list;
    this.#now = now;
  }

  /** All of them anew: whatever is no longer there was revoked or has expired. */
  async read(): Promise<void> {
    const asked = this.#now();
    const listed = await this.#list(MOST);
    // What was found by itself meanwhile is newer than this list.
    const gone = [...this.#keys].filter(([prefix, key]) => key.asked < asked && !listed.has(prefix));
    this.#listed = asked;
    this.note(
      gone.map(([prefix]) => prefix),
      listed,
      asked,
    );
  }

  /** What Postgres has said of these prefixes, when it was asked then. One that it did not find is good no more. */
  note(prefixes: string[], found: Map<string, Known>, asked: number): void {
    // It may have been asked before what was to be forgotten was done.
    if (asked <= this.#forgotten) return;
    for (const prefix of prefixes) if (!found.has(prefix)) this.#keys.delete(prefix);
    for (const [prefix, known] of found) {
      const before = this.#keys.get(prefix);
      // One that a later list did not have was good before that.
      const isNews = before ? before.asked < asked : asked >= this.#listed && this.#keys.size < MOST;
      if (isNews) this.#keys.set(prefix, { known, asked });
    }
  }

  /** Null for what was not good when Postgres last answered, and for what has expired since. */
  find(prefix: string, sha256: Buffer): Known | null {
    const key = this.#keys.get(prefix);
    const now = this.#now();
    if (!key || now - key.asked > KEPT_MS || now >= key.known.until) return null;
    return timingSafeEqual(key.known.sha256, sha256) ? key.known : null;
  }

  forget(prefix: string): void {
    this.#forgotten = this.#now();
    this.#keys.delete(prefix);
  }
}
