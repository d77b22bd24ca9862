/** Does something again and again, with a pause between, and never twice at once. */
import { within } from './within.ts';

/** Whoever stops it waits no longer for a run that is under way: each of its statements has a limit of its own. */
const STOP_MS = 3000;
/** While there is more to do, it rests so many times as long as it worked: others have two thirds of what one connection can do. */
const REST = 2;

export interface PeriodicOptions {
  /** One run; true when there is more to do. */
  task: () => Promise<unknown>;
  pauseMs: number;
  onError: (error: unknown) => void;
}

export class Periodic {
  readonly #options: PeriodicOptions;
  #isStarted = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  /** The first run comes after a pause. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#pause(this.#options.pauseMs);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    if (this.#running) await within(STOP_MS, this.#running, null);
  }

  /** Now, started or not. Asked again meanwhile, it is the same run. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { task, pauseMs, onError } = this.#options;
    clearTimeout(this.#timer);
    const began = performance.now();
    const more = await task().catch(onError);
    this.#pause(more === true ? REST * (performance.now() - began) : pauseMs);
  }

  #pause(ms: number): void {
    // It may have been stopped and started again while it ran.
    clearTimeout(this.#timer);
    if (this.#isStarted) this.#timer = setTimeout(() => void this.run(), ms).unref();
  }
}
