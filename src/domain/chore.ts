/**
 * Work in the background, a small piece at a time. While there is more, it rests for as long as it worked, so that others have at
 * least half of what Postgres can do with one connection; else for a while.
 */

export interface ChoreOptions {
  /** One piece; true when there may be more. */
  step: () => Promise<boolean>;
  idleMs: number;
  onError: (error: unknown) => void;
}

export class Chore {
  readonly #options: ChoreOptions;
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ChoreOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(this.#options.idleMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#step;
  }

  #schedule(afterMs: number): void {
    if (this.#closed) return;
    const { step, idleMs, onError } = this.#options;
    this.#timer = setTimeout(() => {
      const began = performance.now();
      this.#step = step()
        .catch((error) => {
          onError(error);
          return false;
        })
        .then((more) => this.#schedule(more ? performance.now() - began : idleMs));
    }, afterMs).unref();
  }
}
