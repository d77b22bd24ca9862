/** What was opened, closed in reverse order, each within its time; one that fails does not keep the rest open. */
import type { Log } from './log.ts';
import { within } from './within.ts';

export class Closers {
  readonly #stack: { name: string; withinMs: number; close: () => Promise<unknown> }[] = [];
  readonly #log: Log;
  #closing: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, withinMs: number, close: () => Promise<unknown>): void {
    this.#stack.push({ name, withinMs, close });
  }

  /** Called twice, it is the same closing. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const { name, withinMs, close } of this.#stack.reverse()) {
      const done = close().then(
        () => null,
        (error: Error) => error.message,
      );
      const complaint = await within(withinMs, done, `took longer than ${withinMs} ms`);
      if (complaint) this.#log.warn(`closing ${name}: ${complaint}`);
    }
  }
}
