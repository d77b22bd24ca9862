/** Keeps the door open: when as many connections are open as may be, the one that has been idle longest goes for a new one. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface IdleOptions {
  maxConnections: number;
  /** Called for each connection that was closed, the new one when none was idle. */
  onClosed: (isIdle: boolean) => void;
}

export class IdleConnections {
  readonly #open = new Set<Socket>();
  /**
   * In the order in which they became idle, which is also when they were opened: whoever has not sent the whole head of a request
   * is as idle as one that sends nothing.
   */
  readonly #idle = new Set<Socket>();

  /** Node's own bound would close a new connection before anybody hears of it, so that a stranger could keep out everybody. */
  constructor(server: Server, { maxConnections, onClosed }: IdleOptions) {
    server.on('connection', (socket: Socket) => {
      const isFull = this.#open.size >= maxConnections;
      const [longest] = isFull ? this.#idle : [];
      this.#open.add(socket);
      this.#idle.add(socket);
      socket.once('close', () => this.#forget(socket));
      if (!isFull) return;
      const closed = longest ?? socket;
      // At once: it says that it is closed only after others have come.
      this.#forget(closed);
      closed.destroy();
      onClosed(longest !== undefined);
    });
  }

  /** It has a request to be answered. */
  delete(socket: Socket): void {
    this.#idle.delete(socket);
  }

  /** All its requests are answered. */
  add(socket: Socket): void {
    if (this.#open.has(socket)) this.#idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
  }
}
