/** One who waits: rests until it is woken, and knows when its time is over. */
export class Waiter {
  readonly #deadline: NodeJS.Timeout;
  #later: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isOver: boolean;
  #rouse: () => void = () => {};

  constructor(ms: number) {
    this.#isOver = ms <= 0;
    this.#deadline = setTimeout(() => this.end(), ms);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  wake(): void {
    this.#isWoken = true;
    this.#rouse();
  }

  wakeIn(ms: number): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.wake(), ms);
  }

  /** Its time is over. */
  end(): void {
    this.#isOver = true;
    this.wake();
  }

  /** Until it is woken; at once if it was since it last rested. */
  async rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rouse = resolve;
    if (this.#isWoken || this.#isOver) resolve();
    await promise;
    this.#isWoken = false;
  }

  close(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#later);
  }
}
