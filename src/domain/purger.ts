/** Removes, in small pieces and in the background, what deleted and reset scopes have left behind. */
import type { Database } from '../storage/database.ts';
import { deleteLeftRows, deletePurge, findPurge } from '../storage/purges.ts';

const PIECE = 1000;
const IDLE_MS = 1000;

export class Purger {
  readonly #db: Database;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  start(): void {
    this.#schedule(IDLE_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#step;
  }

  #schedule(afterMs: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#step = this.purgeSome()
        .catch((error) => {
          this.#onError(error);
          return false;
        })
        .then((more) => this.#schedule(more ? 0 : IDLE_MS));
    }, afterMs).unref();
  }

  /** One piece; true when there may be more. */
  purgeSome(): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const purge = await findPurge(tx);
      if (!purge) return false;
      if (await deleteLeftRows(tx, purge, PIECE)) await deletePurge(tx, purge);
      return true;
    });
  }
}
