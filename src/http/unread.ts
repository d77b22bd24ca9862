/** Ends the connections of clients that do not read their answers: after a time, or when too much is unsent over all. */
import type { Socket } from 'node:net';

/** How long a client may take none of the bytes that are there for it. */
const PATIENCE_MS = 30_000;
/** One answer may be megabytes, and there may be thousands of connections. */
const UNSENT_BYTES = 64 * 1024 * 1024;
/** In this time, answers can be made for much less than the bound. */
const LOOK_MS = 250;

interface Seen {
  unsent: number;
  /** What of it the system has not taken yet, of the write that is under way. */
  underWay: number;
  /** When any of it was last seen to change. */
  since: number;
}

export interface UnreadOptions {
  /** Those that have an answer in hand. */
  connections: () => Iterable<Socket>;
  onEnded: (connections: number, unsentBytes: number) => void;
  patienceMs?: number;
  unsentBytes?: number;
}

export class Unread {
  readonly #options: Required<UnreadOptions>;
  readonly #timer: NodeJS.Timeout;
  #seen = new Map<Socket, Seen>();

  constructor(options: UnreadOptions) {
    this.#options = { patienceMs: PATIENCE_MS, unsentBytes: UNSENT_BYTES, ...options };
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const seen = new Map<Socket, Seen>();
    for (const socket of this.#options.connections()) {
      const [unsent, underWay] = [socket.writableLength, writeQueueSize(socket)];
      if (unsent === 0) continue;
      const before = this.#seen.get(socket);
      const isStill = before?.unsent === unsent && before.underWay === underWay;
      seen.set(socket, { unsent, underWay, since: isStill ? before.since : now });
    }
    this.#seen = seen;
    this.#end(now);
  }

  #end(now: number): void {
    const { patienceMs, unsentBytes, onEnded } = this.#options;
    // Whoever has taken nothing for longest goes first; between equals, whoever has most to take.
    const worst = [...this.#seen].sort(([, a], [, b]) => a.since - b.since || b.unsent - a.unsent);
    let [left, ended] = [worst.reduce((sum, [, { unsent }]) => sum + unsent, 0), 0];
    const total = left;
    for (const [socket, { unsent, since }] of worst) {
      if (now - since < patienceMs && left <= unsentBytes) break;
      // The system would keep what it has taken for minutes after an orderly end.
      socket.resetAndDestroy();
      left -= unsent;
      ended++;
    }
    if (ended > 0) onEnded(ended, total - left);
  }
}

/** As Node's own time-out of a socket asks for it: a write of megabytes is one write, and may take a slow client minutes. */
function writeQueueSize(socket: Socket): number {
  return (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;
}
