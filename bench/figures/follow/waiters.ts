/** Requests that wait over connections of their own, and are asked again when their time is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wanted } from '../../events/node.ts';
import { openPoster, type Poster } from '../../parts/poster.ts';
import type { ServiceNode } from '../../process/node.ts';
import { Progress } from '../progress.ts';

/** All at once would overflow the backlog of the listening socket. */
const OPENED_AT_ONCE = 50;
const LOOK_EVERY_MS = 20;
/** What has not begun to wait by then never will. */
const OPENED_MS = 30_000;

export function getOf({ path, headers }: Wanted): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`;
}

export class OpenWaiters {
  readonly #node: ServiceNode;
  #poster: Poster | null = null;
  /** Answered so far, since their time was over, and asked again. */
  again = 0;
  /** What was answered to one that was not let in. */
  refused: string | null = null;

  constructor(node: ServiceNode) {
    this.#node = node;
  }

  /** When each of them waits, as the service counts them. */
  async open(wanted: Wanted[]): Promise<void> {
    const poster = openPoster(this.#node.port, wanted.length);
    this.#poster = poster;
    const progress = new Progress('requests wait', wanted.length);
    for (let n = 0; n < wanted.length; n += OPENED_AT_ONCE) {
      const some = wanted.slice(n, n + OPENED_AT_ONCE);
      for (const one of some) void this.#keepAsking(poster, getOf(one));
      await this.#until(n + some.length);
      progress.at(n + some.length);
    }
  }

  /** When the service has noticed, too. */
  async close(): Promise<void> {
    this.leave();
    await this.#until(0);
  }

  /** Before the service ends, however a figure does: who is answered by that asks again, and nobody would be there. */
  leave(): void {
    this.#poster?.close();
    this.#poster = null;
  }

  async #keepAsking(poster: Poster, request: string): Promise<void> {
    while (this.#poster === poster && !this.refused) {
      const { status, text } = await poster.post(request);
      if (status === 200) this.again++;
      else this.refused = text;
    }
  }

  async #until(count: number): Promise<void> {
    const began = performance.now();
    for (;;) {
      if (this.refused) throw new Error(`one who waits was answered: ${this.refused}`);
      const resting = await restingOn(this.#node);
      if (resting === count) return;
      if (performance.now() - began > OPENED_MS) throw new Error(`${resting} requests wait, and not ${count}`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}

async function restingOn(node: ServiceNode): Promise<number> {
  const text: string = await node.call('GET', '/internals/metrics');
  return Number(/^docket_waiters (\d+)$/m.exec(text)?.[1]);
}
