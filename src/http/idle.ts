/**
 * Keeps the door open: when as many connections are open as may be, one goes for each new one: that which has been idle longest,
 * or else that which has been sending its request longest.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { hasLongBody } from './long-bodies.ts';

/** Which one went. */
export type Closed = 'idle' | 'sending' | 'new';

export interface IdleOptions {
  maxConnections: number;
  /** Called for each connection that was closed. */
  onClosed: (which: Closed) => void;
}

export class IdleConnections {
  readonly #open = new Set<Socket>();
  /**
   * In the order in which they became idle, which is also when they were opened: whoever has not sent the whole head of a request
   * is as idle as one that sends nothing.
   */
  readonly #idle = new Set<Socket>();
  /** In the order in which their requests began: those of which the body may not be there yet, whose client waits for nothing. */
  readonly #sending = new Map<Socket, Pick<IncomingMessage, 'complete'>>();

  /** Node's own bound would close a new connection before anybody hears of it, so that a stranger could keep out everybody. */
  constructor(server: Server, { maxConnections, onClosed }: IdleOptions) {
    server.on('connection', (socket: Socket) => {
      const isFull = this.#open.size >= maxConnections;
      const [idle] = isFull ? this.#idle : [];
      const sending = isFull && !idle ? this.#longestSending() : undefined;
      this.#open.add(socket);
      this.#idle.add(socket);
      socket.once('close', () => this.#forget(socket));
      if (!isFull) return;
      const closed = idle ?? sending ?? socket;
      // At once: it says that it is closed only after others have come.
      this.#forget(closed);
      closed.destroy();
      onClosed(idle ? 'idle' : sending ? 'sending' : 'new');
    });
  }

  /** It has a request to be answered, the body of which may still come. */
  begin(socket: Socket, request: Pick<IncomingMessage, 'complete'>): void {
    this.#idle.delete(socket);
    this.#sending.set(socket, request);
  }

  /** All its requests are answered. */
  end(socket: Socket): void {
    this.#sending.delete(socket);
    if (this.#open.has(socket)) this.#idle.add(socket);
  }

  /** Those that have sent all, and streams, are passed over once: they are not looked at again before their next request. */
  #longestSending(): Socket | undefined {
    for (const [socket, { complete }] of this.#sending) {
      if (!complete && !hasLongBody(socket)) return socket;
      this.#sending.delete(socket);
    }
    return undefined;
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
    this.#sending.delete(socket);
  }
}
