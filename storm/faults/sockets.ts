/** Clients that nobody wants: those that send a byte now and then, and readers of a stream that stop reading. */
import { connect, type Socket } from 'node:net';
import { closeLater } from '../ending.ts';

export interface Held {
  socket: Socket;
  openedAt: number;
  /** Null while it is open. */
  closedAt: number | null;
  /** Whether the service ended it in an orderly way. */
  wasEnded: boolean;
  received: string;
}

const SHOWN = 2000;

function hold(url: string): Held {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const held: Held = { socket, openedAt: performance.now(), closedAt: null, wasEnded: false, received: '' };
  socket.on('error', () => {});
  socket.on('data', (data) => {
    if (held.received.length < SHOWN) held.received += data.toString('latin1');
  });
  socket.once('end', () => {
    held.wasEnded = true;
  });
  socket.once('close', () => {
    held.closedAt = performance.now();
  });
  closeLater(() => socket.destroy());
  return held;
}

/** Begins a request and sends a byte a second of the rest. */
export function openSlow(url: string): Held {
  const held = hold(url);
  held.socket.write('POST /api/ingest HTTP/1.1\r\nHost: slow\r\nX-Slow: ');
  const drip = setInterval(() => held.socket.writable && held.socket.write('x'), 1000);
  held.socket.once('close', () => clearInterval(drip));
  return held;
}

export function openStream(url: string, path: string, key: string): Held {
  const held = hold(url);
  held.socket.write(`GET ${path} HTTP/1.1\r\nHost: reader\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return held;
}

export const isStreaming = ({ received }: Held) => received.startsWith('HTTP/1.1 200');
export const openOf = (all: Held[]) => all.filter(({ closedAt }) => closedAt === null).length;
