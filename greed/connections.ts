/** Connections of an attacker that are held open for as long as the service lets them, and what is sent on them. */
import { connect, type Socket } from 'node:net';
import { sleep } from '../storm/waiting.ts';

const LOOK_MS = 10;
/** Who was refused, or ended, comes again. */
const AGAIN_MS = 1000;

export interface Held {
  url: string;
  isOver: () => boolean;
  count: number;
  request: Buffer;
}

/** Each sends its request and is then used; whoever has lost its own makes it anew. Returns how many were answered with 200. */
export async function hold(
  { url, isOver, count, request }: Held,
  use: (socket: Socket, isOpen: () => boolean) => Promise<void>,
): Promise<number> {
  const { port, hostname } = new URL(url);
  let answered = 0;
  const one = async () => {
    while (!isOver()) {
      const socket = connect(Number(port), hostname);
      let isOpen = true;
      socket.on('error', () => {});
      socket.once('close', () => {
        isOpen = false;
      });
      socket.once('data', (data) => {
        if (data.toString('latin1', 9, 12) === '200') answered++;
        else isOpen = false;
      });
      socket.write(request);
      await use(socket, () => isOpen && !isOver());
      socket.destroy();
      if (!isOver()) await sleep(AGAIN_MS);
    }
  };
  await Promise.all(Array.from({ length: count }, one));
  return answered;
}

/** For as long as it is open, or for so long. */
export async function stay(isOpen: () => boolean, ms = Number.POSITIVE_INFINITY): Promise<void> {
  const end = performance.now() + ms;
  while (isOpen() && performance.now() < end) await sleep(LOOK_MS);
}

/** The same bytes again and again, as fast as they are taken, so many times at most. */
export async function sendOn(socket: Socket, isOpen: () => boolean, bytes: Buffer, times: number): Promise<void> {
  for (let sent = 0; isOpen(); await sleep(LOOK_MS)) {
    if (socket.writableLength > 0 || sent >= times) continue;
    socket.write(bytes);
    sent++;
  }
}

/** As a piece of a body whose length is not announced. */
export const chunk = (text: string) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
