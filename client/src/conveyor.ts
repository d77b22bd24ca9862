/** Lines on their way: pulled from a source, sent in batches, answered in order, and never more of them than a window. */

/** What limits how far the source may be ahead of whoever takes the answers. */
export interface Limits {
  /** Lines that were pulled, and whose answers were not taken yet. */
  window: number;
  /** Lines of one batch. */
  batchLines: number;
  /** Characters of one batch, and of what waits to be the next one. A line that is longer goes alone. */
  batchCharacters: number;
}

export interface Work<Item, Answer> {
  encode: (item: Item) => string;
  /** Sends a batch, and gives an answer for each of its lines, in order. */
  send: (lines: string[], signal: AbortSignal) => AsyncIterable<Answer>;
  limits: Limits;
}

/** The source goes on while a batch is under way, and a batch takes whatever is there: nothing waits until one is full. */
export class Conveyor<Item, Answer> {
  readonly #work: Work<Item, Answer>;
  readonly #source: Iterator<Item> | AsyncIterator<Item>;
  readonly #ending = new AbortController();
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** Pulled, and their answers not taken. */
  #out = 0;
  #answers: Answer[] = [];
  #sourceError: unknown = null;
  /** It said that there is no more, or threw: there is nothing left of it to be ended. */
  #isSourceOver = false;
  #isDrained = false;
  #isSent = false;
  #sendError: unknown = null;
  #ring: () => void = () => {};
  #bell = Promise.resolve();

  constructor(source: AsyncIterable<Item> | Iterable<Item>, work: Work<Item, Answer>) {
    this.#work = work;
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#hangBell();
  }

  /** To be called once. Whoever stops taking ends everything. */
  async *answers(signal: AbortSignal | undefined): AsyncGenerator<Answer> {
    const giveUp = () => this.#end(signal?.reason);
    if (signal?.aborted) throw signal.reason;
    signal?.addEventListener('abort', giveUp, { once: true });
    void this.#pull();
    void this.#send();
    try {
      for (;;) {
        const taken = this.#answers;
        this.#answers = [];
        for (const answer of taken) {
          yield answer;
          this.#out--;
          this.#changed();
        }
        if (signal?.aborted) throw signal.reason;
        if (this.#answers.length > 0) continue;
        if (this.#isSent) break;
        await this.#bell;
      }
      if (this.#sendError !== null) throw this.#sendError;
      if (this.#sourceError !== null) throw this.#sourceError;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      this.#end('Nobody takes the answers.');
    }
  }

  async #pull(): Promise<void> {
    const { encode, limits } = this.#work;
    try {
      while (!this.#ending.signal.aborted) {
        if (this.#out >= limits.window || this.#waitingCharacters >= limits.batchCharacters) {
          await this.#bell;
          continue;
        }
        const { done, value } = await this.#next();
        if (done) break;
        const line = encode(value);
        this.#waiting.push(line);
        this.#waitingCharacters += line.length;
        this.#out++;
        this.#changed();
      }
    } catch (error) {
      // What came before it is sent and answered first.
      this.#sourceError = error;
    }
    this.#isDrained = true;
    this.#changed();
  }

  async #next(): Promise<IteratorResult<Item>> {
    try {
      const next = await this.#source.next();
      this.#isSourceOver = next.done === true;
      return next;
    } catch (error) {
      this.#isSourceOver = true;
      throw error;
    }
  }

  async #send(): Promise<void> {
    const { signal } = this.#ending;
    try {
      while (!signal.aborted) {
        const batch = this.#nextBatch();
        if (batch.length === 0 && this.#isDrained) break;
        if (batch.length === 0) await this.#bell;
        else for await (const answer of this.#work.send(batch, signal)) this.#arrived(answer);
      }
    } catch (error) {
      this.#sendError = error;
    }
    this.#isSent = true;
    this.#changed();
  }

  #arrived(answer: Answer): void {
    this.#answers.push(answer);
    this.#changed();
  }

  #nextBatch(): string[] {
    const { batchLines, batchCharacters } = this.#work.limits;
    let characters = 0;
    let count = 0;
    for (const { length } of this.#waiting) {
      if (count === batchLines || (count > 0 && characters + length > batchCharacters)) break;
      characters += length;
      count++;
    }
    this.#waitingCharacters -= characters;
    const batch = this.#waiting.splice(0, count);
    if (count > 0) this.#changed();
    return batch;
  }

  /** The source is told, and not waited for: it may be waiting itself, for something that never comes. */
  #end(reason: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(reason);
    this.#changed();
    if (!this.#isSourceOver) void (async () => this.#source.return?.())().catch(() => {});
  }

  #changed(): void {
    this.#ring();
    this.#hangBell();
  }

  #hangBell(): void {
    this.#bell = new Promise((resolve) => {
      this.#ring = resolve;
    });
  }
}
