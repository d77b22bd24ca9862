/** Clients that send ahead and do not read, on real sockets: what they can make the server hold, and for how long. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answerInTurn, isStopped } from '../../src/http/pipelines.ts';
import { createServer } from '../../src/http/server.ts';
import { Unread } from '../../src/http/unread.ts';
import { createLog } from '../../src/log.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await startTestService();

/** More than the systems of both sides take of it before anybody reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
/** Shorter than it takes to read all of it in pieces. */
const PATIENCE_MS = 1000;

const requests = (count: number, path: string) =>
  Array.from({ length: count }, (_item, i) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: r${i}\r\n\r\n`).join(
    '',
  );

function open(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)));
    // One that is cut off is reset.
    socket.once('error', reject).pause();
    later(() => socket.destroy());
  });
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

describe('requests that are sent ahead', () => {
  const port = Number(new URL(service.url).port);
  const idsIn = (text: string) => [...text.matchAll(/x-request-id: r(\d+)/gi)].map(([, id]) => Number(id));

  it('are answered in order, and ten of them wait: the answer to the last says that it is the last', async () => {
    const text = await textOf(await open(port, requests(500, '/nothing')));
    expect(idsIn(text)).toEqual(Array.from({ length: 11 }, (_item, i) => i));
    expect(text.match(/connection: close/gi)).toHaveLength(1);
    expect(text.lastIndexOf('HTTP/1.1')).toBeLessThan(text.search(/connection: close/i));
  });

  it('are all answered when they are not more', async () => {
    const ended = `${requests(10, '/nothing')}GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: r10\r\n\r\n`;
    expect(idsIn(await textOf(await open(port, ended)))).toHaveLength(11);
  });

  it('with bodies are stored in order', async () => {
    const { tenantId } = await service.newTenant();
    const posts = Array.from({ length: 10 }, (_item, i) => {
      const body = JSON.stringify({ scope_id: 'ahead', name: `${i}`, text: 'x'.repeat(5000) });
      return `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const text = await textOf(
      await open(port, `${posts.join('')}${requests(1, '/').replace('X-', 'Connection: close\r\nX-')}`),
    );
    const answers = [...text.matchAll(/"name":"(\d+)".*"seq":(\d+)/g)].map(([, name, seq]) => [
      Number(name),
      Number(seq),
    ]);
    expect(answers).toEqual(posts.map((_post, i) => [i, i]));
  });

  it('and whose answers are not read are not begun', async () => {
    const options = { requestTimeoutMs: 1000, handlerTimeoutMs: 60_000, maxConnections: 10, onUnavailable: () => {} };
    const app = createServer(options, createLog('silent'));
    later(() => app.close());
    let begun = 0;
    app.get('/large', (_request, reply) => {
      begun++;
      return reply.send(LARGE);
    });
    app.get('/small', () => 'here');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const sockets = [];
    for (let i = 0; i < 3; i++) sockets.push(await open(Number(new URL(url).port), requests(10, '/large')));
    await until(
      () => begun,
      (count) => count >= sockets.length,
    );
    // Whatever was read together with the first of each has had its turn.
    for (let i = 0; i < 3; i++) expect(await (await fetch(`${url}/small`)).text()).toBe('here');
    expect(begun).toBe(sockets.length);
    for (const socket of sockets) socket.destroy();
  });
});

/** A plain server whose answers begin at once, if so, and end when they are let go. */
async function serveHeldBack({ aheadOfAll, begins = false }: { aheadOfAll?: number; begins?: boolean } = {}) {
  const parsed: IncomingMessage[] = [];
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
  const server = createHttpServer((_request, response) => {
    if (begins) response.write('be');
    void letGo.then(() => response.end('gun'));
  });
  answerInTurn(server, { aheadOfAll });
  server.on('request', (request) => parsed.push(request));
  server.on('clientError', (_error, socket) => isStopped(socket as Socket) || socket.destroy());
  server.listen(0, '127.0.0.1');
  later(() => server.close().closeAllConnections());
  await until(
    () => server.listening,
    (isListening) => isListening,
  );
  const isParsed = (count: number) =>
    until(
      () => parsed.length,
      (length) => length >= count,
    );
  return { port: (server.address() as AddressInfo).port, parsed, isParsed, go };
}

const answersIn = (text: string) => text.match(/HTTP\/1.1 200/g)?.length;

it('requests that are too many are not even parsed, though they came in one piece', async () => {
  const { port, parsed, isParsed, go } = await serveHeldBack();
  const socket = await open(port, requests(1000, '/'));
  await isParsed(11);
  go();
  expect(answersIn(await textOf(socket))).toBe(11);
  expect(parsed).toHaveLength(11);
});

it('one too many that asks for an upgrade does not cost the others their answers', async () => {
  const { port, isParsed, go } = await serveHeldBack();
  const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const socket = await open(port, requests(11, '/') + upgrade);
  await isParsed(11);
  go();
  expect(answersIn(await textOf(socket))).toBe(11);
});

it('when too many requests wait over all, others may send one ahead, and are told so', async () => {
  const { port, parsed, isParsed, go } = await serveHeldBack({ aheadOfAll: 15 });
  const first = await open(port, requests(11, '/').replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  await isParsed(11);
  const second = await open(port, requests(11, '/'));
  await isParsed(11 + 6);
  const third = await open(port, requests(5, '/'));
  await isParsed(11 + 6 + 2);
  go();
  const texts = await Promise.all([first, second, third].map(textOf));
  expect(texts.map(answersIn)).toEqual([11, 6, 2]);
  for (const text of texts) expect(text.match(/connection: close/gi)).toHaveLength(1);
  expect(parsed).toHaveLength(11 + 6 + 2);
});

it('after a request that was one too many nothing is answered, whatever comes later', async () => {
  const { port, parsed, isParsed, go } = await serveHeldBack({ aheadOfAll: 0, begins: true });
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n';
  const socket = await open(port, requests(2, '/') + post);
  await isParsed(2);
  // The body of what was dropped, which looks like requests.
  socket.write(requests(50, '/'));
  socket.write('neither this nor that\r\n\r\n');
  go();
  const text = await textOf(socket);
  expect(answersIn(text)).toBe(2);
  expect(text.match(/be[\s\S]*?gun/g)).toHaveLength(2);
  expect(parsed).toHaveLength(2);
});

describe('a client that does not read', () => {
  async function serve(options: { patienceMs: number; leastBytes?: number; unsentBytes?: number }) {
    const server = createHttpServer((_request, response) => response.end(LARGE));
    const ended: number[] = [];
    const { busy } = answerInTurn(server);
    const unread = new Unread({ ...options, connections: () => busy.keys(), onEnded: (count) => ended.push(count) });
    server.listen(0, '127.0.0.1');
    later(() => {
      unread.close();
      server.close().closeAllConnections();
    });
    await until(
      () => server.listening,
      (isListening) => isListening,
    );
    const { port } = server.address() as AddressInfo;
    return { ask: () => open(port, requests(1, '/')), ended, busy };
  }

  it('is cut off after its time; one that reads is not, though it takes longer', async () => {
    const { ask, ended, busy } = await serve({ patienceMs: PATIENCE_MS, unsentBytes: 3 * LARGE.length });
    const [idle, slow] = [await ask(), await ask()];
    let read = 0;
    slow.on('data', (chunk) => {
      read += chunk.length;
      if (ended.length === 0) slow.pause();
    });
    // It takes its answer in pieces until the other is gone, and then the rest.
    const pieces = setInterval(() => slow.resume(), 5);
    await until(
      () => ended.length,
      (count) => count > 0,
    );
    clearInterval(pieces);
    slow.resume();
    await until(
      () => read,
      (bytes) => bytes > LARGE.length,
    );
    expect(ended).toEqual([1]);
    await expect(textOf(idle)).rejects.toThrow('ECONNRESET');
    await until(
      () => [...busy.keys()].length,
      (count) => count === 0,
    );
  });

  it('is cut off when it takes a little now and then', async () => {
    const { ask, ended, busy } = await serve({ patienceMs: PATIENCE_MS, leastBytes: LARGE.length / 2 });
    const slow = await ask();
    slow.on('error', () => {}).on('data', () => slow.pause());
    const pieces = setInterval(() => slow.resume(), 20);
    await until(
      () => ended.length,
      (count) => count > 0,
    );
    clearInterval(pieces);
    await until(
      () => [...busy.keys()].length,
      (count) => count === 0,
    );
  });

  it('is cut off at once when too much waits over all', async () => {
    const { ask, ended, busy } = await serve({ patienceMs: 3_600_000, unsentBytes: 2.5 * LARGE.length });
    const sockets = await Promise.all([ask(), ask(), ask(), ask()]);
    for (const socket of sockets) socket.on('error', () => {});
    await until(
      () => ended.reduce((sum, count) => sum + count, 0),
      (count) => count === 2,
    );
    await until(
      () => [...busy.keys()].length,
      (count) => count === 2,
    );
  });
});
