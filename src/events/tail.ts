/** The one reader of the log in this process: reads what is new when it is woken, and now and then unasked. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventEnvelope } from '../contract/events.ts';

export interface TailOptions {
  /** The id up to which everything was handed over, or skipped. */
  position: () => number;
  /** Events after an id, in order. */
  read: (after: number, limit: number) => Promise<EventEnvelope[]>;
  onEvents: (events: EventEnvelope[]) => void;
  /** Whether anybody wants to hear of them. */
  isHeard: () => boolean;
  /** Skips what nobody wants to hear of. */
  skip: () => Promise<void>;
  onError: (error: unknown) => void;
}

const PAGE = 1000;
/** Behind the wake-ups, which are only hints. */
const POLL_MS = 1000;
/** Those who commit one after the other are read together: soon when little happens, in larger pieces when much does. */
const GATHER_MS = 5;
const GATHER_MUCH_MS = 25;
const MUCH = 20;
const RETRY_MS = 500;
const FRESH_MS = 5 * POLL_MS;

export class Tail {
  readonly #options: TailOptions;
  #running: Promise<void> | null = null;
  #closed = false;
  #woken = false;
  #readAt = performance.now();
  #lastRead = 0;
  #wake: () => void = () => {};

  constructor(options: TailOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Whether the log could be read a moment ago. */
  get isUp(): boolean {
    return performance.now() - this.#readAt < FRESH_MS;
  }

  /** What nobody hears of is not read back for each commit, but skipped now and then. */
  wake(): void {
    if (!this.#options.isHeard()) return;
    this.#woken = true;
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#woken = false;
      const isBehind = await this.#read();
      if (isBehind || this.#closed) continue;
      await this.#rest();
      if (this.#woken && !this.#closed) await sleep(this.#lastRead > MUCH ? GATHER_MUCH_MS : GATHER_MS);
    }
  }

  /** True when there may be more at once. */
  async #read(): Promise<boolean> {
    const { isHeard, skip, read, position, onEvents } = this.#options;
    try {
      const events = isHeard() ? await read(position(), PAGE) : await skip();
      this.#readAt = performance.now();
      this.#lastRead = events?.length ?? 0;
      if (events && events.length > 0) onEvents(events);
      return events?.length === PAGE;
    } catch (error) {
      this.#options.onError(error);
      await sleep(RETRY_MS, undefined, { ref: false });
      return false;
    }
  }

  #rest(): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
