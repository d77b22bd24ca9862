/** Work in the background, a small piece at a time: at once again while there is more, else after a while. */

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
      this.#step = step()
        .catch((error) => {
          onError(error);
          return false;
        })
        .then((more) => this.#schedule(more ? 0 : idleMs));
    }, afterMs).unref();
  }
}
