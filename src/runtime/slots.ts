/** So many at once, whoever they are; the others wait in line, and can leave it. */

interface Waiting {
  enter(): void;
  leave(reason: unknown): void;
}

export class Slots {
  #free: number;
  /** In the order in which they came. */
  readonly #line = new Set<Waiting>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  get waiting(): number {
    return this.#line.size;
  }

  get hasRoom(): boolean {
    return this.#free > 0;
  }

  /** Whoever has taken one gives it back. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve: enter, reject: leave } = Promise.withResolvers<void>();
    const me = { enter, leave };
    const giveUp = () => {
      this.#line.delete(me);
      leave(signal.reason);
    };
    this.#line.add(me);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** The slot goes to the next in line, so that nobody who comes just now is before it. */
  giveBack(): void {
    const [next] = this.#line;
    if (!next) {
      this.#free++;
      return;
    }
    this.#line.delete(next);
    next.enter();
  }
}
