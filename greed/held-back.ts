/** Requests of which a part is held back until all of them are there; then the rest is let go in one moment. */
import { connect, type Socket } from 'node:net';
import { sleep, until } from '../storm/waiting.ts';

const SENDING_MS = 10_000;
/** For the service to read what the kernel has taken. */
const READING_MS = 300;
const ANSWER_MS = 20_000;

export interface Held {
  url: string;
  sockets: number;
  request: Buffer;
  /** Where the part begins that is held back. */
  from: number;
  isOver: () => boolean;
}

/** How many were let go, or were refused before. */
export async function letGoTogether({ url, sockets, request, from, isOver }: Held): Promise<number> {
  const { port, hostname } = new URL(url);
  const all: Socket[] = [];
  let sending = sockets;
  let open = sockets;
  for (let n = 0; n < sockets; n++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const heard = new Promise<void>((resolve) => {
      socket.once('data', () => resolve());
      socket.once('close', () => resolve());
    });
    const sent = new Promise<void>((resolve) => socket.write(request.subarray(0, from), () => resolve()));
    void heard.then(() => open--);
    void Promise.race([sent, heard]).then(() => sending--);
    all.push(socket);
  }
  await until(() => sending === 0 || isOver(), SENDING_MS);
  await sleep(READING_MS);
  for (const socket of all) if (socket.writable) socket.write(request.subarray(from));
  await until(() => open === 0 || isOver(), ANSWER_MS);
  for (const socket of all) socket.destroy();
  return sockets - sending;
}
