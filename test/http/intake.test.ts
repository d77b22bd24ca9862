/** Bodies on real sockets: how much of one is taken in before the others have their turn. */
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const BYTES = 8 * 1024 * 1024;
/** Two pieces of 64 KB, and one that was on its way. */
const TURN_BYTES = 3 * 64 * 1024;

/** The most that any connection gave in one turn of the event loop, until all of these have been answered. */
async function mostInATurn(requests: { path: string; headers: string; body: Buffer }[]) {
  const sockets = new Map<Socket, number>();
  const { server } = service.app;
  const onConnection = (socket: Socket) => void sockets.set(socket, 0);
  server.on('connection', onConnection);
  let most = 0;
  let isOver = false;
  const look = () => {
    for (const [socket, before] of sockets) {
      most = Math.max(most, socket.bytesRead - before);
      sockets.set(socket, socket.bytesRead);
    }
    if (!isOver) setImmediate(look);
  };
  look();
  const answers = await Promise.all(requests.map(send));
  isOver = true;
  server.off('connection', onConnection);
  return { most, answers, taken: [...sockets.values()] };
}

/** Resolves with the answer's first line when all was sent, too. */
async function send({ path, headers, body }: { path: string; headers: string; body: Buffer }): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  later(() => socket.destroy());
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n`;
  socket.write(head);
  const sent = new Promise<void>((resolve, reject) =>
    socket.write(body, (error) => (error ? reject(error) : resolve())),
  );
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('error', reject).once('data', (data) => resolve(data.toString().split('\r\n', 1)[0] as string));
  });
  await sent;
  return answer;
}

it('what is refused unread is taken in by turns, and its client sees the answer', async () => {
  const body = Buffer.alloc(BYTES, ' ');
  const { most, answers, taken } = await mostInATurn(Array(4).fill({ path: '/nowhere', headers: '', body }));
  expect(answers).toEqual(Array(4).fill('HTTP/1.1 404 Not Found'));
  expect(Math.max(...taken)).toBeGreaterThan(BYTES / 2);
  expect(most).toBeLessThanOrEqual(TURN_BYTES);
});

it('what is read is taken in by turns', async () => {
  const requests = [];
  for (let i = 0; i < 3; i++) {
    const { tenantId } = await service.newTenant();
    // Whoever is known already is read from at once.
    await service.call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
    const documents = Array(80).fill({ scope_id: 's', name: 'n', text: 'x'.repeat(100_000) });
    const body = Buffer.from(JSON.stringify({ documents }));
    requests.push({ path: '/api/ingest/batch', headers: `X-Tenant-ID: ${tenantId}\r\n`, body });
  }
  const { most, answers } = await mostInATurn(requests);
  expect(answers).toEqual(Array(3).fill('HTTP/1.1 202 Accepted'));
  expect(most).toBeLessThanOrEqual(TURN_BYTES);
});

it('of very many that are refused unread, some are cut off after their answers, and all have one', async () => {
  const count = 400;
  // Of its own: what others sent may still be on its way out.
  const { port } = new URL((await startTestService()).url);
  const heads = await Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      later(() => socket.destroy());
      // No more than is announced comes until all of them were answered.
      socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${BYTES}\r\n\r\n${' '.repeat(1000)}`);
      return new Promise<string>((resolve, reject) => {
        socket.once('error', reject).once('data', (data) => resolve(data.toString()));
      });
    }),
  );
  expect(heads.filter((head) => head.startsWith('HTTP/1.1 404'))).toHaveLength(count);
  const cutOff = heads.filter((head) => /^connection: close/im.test(head)).length;
  expect(cutOff).toBe(count - 256);
});
