/** Ends the connections of clients that do not read their answers: after a time, or when too much is unsent over all. */
import type { Socket } from 'node:net';

/** In this time, a client takes at least so many of the bytes that are there for it. */
const PATIENCE_MS = 30_000;
const LEAST_BYTES = 16 * 1024;
/** One answer may be megabytes, and there may be thousands of connections. */
const UNSENT_BYTES = 64 * 1024 * 1024;
/** In this time, answers can be made for much less than the bound. */
const LOOK_MS = 250;

interface Seen {
  unsent: number;
  since: number;
  /** How many bytes had been taken by then. */
  from: number;
  /** And since. */
  taken: number;
}

export interface UnreadOptions {
  /** Those that have an answer in hand. */
  connections: () => Iterable<Socket>;
  onEnded: (connections: number, unsentBytes: number) => void;
  patienceMs?: number;
  leastBytes?: number;
  unsentBytes?: number;
}

export class Unread {
  readonly #options: Required<UnreadOptions>;
  readonly #timer: NodeJS.Timeout;
  #seen = new Map<Socket, Seen>();

  constructor(options: UnreadOptions) {
    this.#options = { patienceMs: PATIENCE_MS, leastBytes: LEAST_BYTES, unsentBytes: UNSENT_BYTES, ...options };
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const seen = new Map<Socket, Seen>();
    for (const socket of this.#options.connections()) {
      const { writableLength: unsent } = socket;
      if (unsent === 0) continue;
      const position = takenOf(socket);
      const { since, from } = this.#seen.get(socket) ?? { since: now, from: position };
      seen.set(socket, { unsent, since, from, taken: position - from });
    }
    this.#seen = seen;
    this.#end(now);
  }

  #end(now: number): void {
    const { patienceMs, leastBytes, unsentBytes, onEnded } = this.#options;
    // Whoever has been the slowest goes first: one byte now and then keeps nobody.
    const slowest = [...this.#seen].sort(([, a], [, b]) => paceOf(a, now) - paceOf(b, now) || b.unsent - a.unsent);
    let [left, ended] = [slowest.reduce((sum, [, { unsent }]) => sum + unsent, 0), 0];
    const total = left;
    for (const [socket, seen] of slowest) {
      const isDue = now - seen.since >= patienceMs;
      if (left > unsentBytes || (isDue && seen.taken < leastBytes)) {
        // The system would keep what it has taken for minutes after an orderly end.
        socket.resetAndDestroy();
        left -= seen.unsent;
        ended++;
      } else if (isDue) Object.assign(seen, { since: now, from: seen.from + seen.taken });
    }
    if (ended > 0) onEnded(ended, total - left);
  }
}

/** In bytes a millisecond. What was begun just now has taken nothing yet, and is not slow. */
function paceOf({ since, taken }: Seen, now: number): number {
  return (taken + LEAST_BYTES) / (now - since + LOOK_MS);
}

/** All that the system has taken of what was ever written: a write of megabytes is one write, and may take a slow client minutes. */
export function takenOf(socket: Socket): number {
  const { _bytesDispatched: written, _handle: handle } = socket as unknown as {
    _bytesDispatched: number;
    _handle?: { writeQueueSize?: number };
  };
  return written - (handle?.writeQueueSize ?? 0);
}
