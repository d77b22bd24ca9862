/**
 * Connections whose request may go on for hours. Their streams bound silence, unread answers and numbers themselves, and what bounds
 * ordinary requests leaves them alone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface LongBody {
  raw: IncomingMessage;
  /** What to do when what the connection sends is no HTTP any more. */
  onBroken: () => void;
}

const open = new WeakMap<Socket, LongBody>();

/**
 * Until both are over: the rest of a body is thrown away after its answer, and the last line of an answer may wait for its reader long
 * after the body.
 */
export function allowLongBody(raw: IncomingMessage, response: ServerResponse, onBroken: () => void): void {
  const { socket } = raw;
  const body: LongBody = { raw, onBroken };
  open.set(socket, body);
  let left = 2;
  const close = () => {
    // What follows may be a stream, too: the rest of one that was ended early is thrown away by turns, and the next begins before that.
    if (--left === 0 && open.get(socket) === body) open.delete(socket);
  };
  raw.once('close', close);
  response.once('close', close);
}

export const hasLongBody = (socket: Socket) => open.has(socket);

/** False for an ordinary request, and for what comes after a body. That it has taken long is not what is wrong with a long one. */
export function leaveToStream(socket: Socket, code: string | undefined): boolean {
  const body = open.get(socket);
  if (!body || body.raw.complete) return false;
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') body.onBroken();
  return true;
}
