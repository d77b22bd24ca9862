/**
 * Connections whose request may go on for hours. Their streams bound silence, unread answers and numbers themselves, and what bounds
 * ordinary requests leaves them alone.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What to do when what a connection sends is no HTTP any more. */
const open = new WeakMap<Socket, () => void>();

export function allowLongBody(raw: IncomingMessage, onBroken: () => void): void {
  const { socket } = raw;
  open.set(socket, onBroken);
  raw.once('close', () => {
    // What follows may be a stream, too: the rest of one that was ended early is thrown away by turns, and the next begins before that.
    if (open.get(socket) === onBroken) open.delete(socket);
  });
}

export const hasLongBody = (socket: Socket) => open.has(socket);

/** False for an ordinary request. That it has taken long is not what is wrong with a long one. */
export function leaveToStream(socket: Socket, code: string | undefined): boolean {
  const onBroken = open.get(socket);
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') onBroken?.();
  return onBroken !== undefined;
}
