/** Connections on real sockets: which answers come before one ends, and which one ends when there are too many. */
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await startTestService();

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';
const UPGRADE = 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n';
const BROKEN = 'x\0x\r\n\r\n';

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  later(() => socket.destroy());
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** The status of every answer until the server closes the connection. */
async function statusesOf(bytes: string): Promise<number[]> {
  const socket = await open(service.url);
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}

function post(tenantId: string, name: string, { body = '', headers = '' } = {}): string {
  const document = body || JSON.stringify({ scope_id: 'ahead', name, text: 'Acme has 3 cars.' });
  const length = headers || `Content-Length: ${document.length}\r\n`;
  return `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\n${length}\r\n${document}`;
}

describe('what is owed on a connection is answered first', () => {
  it('when what follows is no request', async () => {
    const { tenantId } = await service.newTenant();
    const posts = ['a', 'b', 'c'].map((name) => post(tenantId, name)).join('');
    expect(await statusesOf(posts + BROKEN)).toEqual([202, 202, 202, 400]);
  });

  it('when the body that follows is broken, which is not answered twice', async () => {
    const { tenantId } = await service.newTenant();
    const broken = post(tenantId, 'c', { headers: 'Transfer-Encoding: chunked\r\n', body: 'no length\r\n' });
    expect(await statusesOf(post(tenantId, 'a') + post(tenantId, 'b') + broken)).toEqual([202, 202, 400]);
    expect(await statusesOf(broken)).toEqual([400]);
  });

  it('when what follows asks for a tunnel, which there is not', async () => {
    const { tenantId } = await service.newTenant();
    expect(await statusesOf(post(tenantId, 'a') + post(tenantId, 'b') + CONNECT)).toEqual([202, 202]);
  });
});

it('the connection ends with the answer to a request for an upgrade: what was sent after it may have been lost', async () => {
  expect(await statusesOf(HEALTH + UPGRADE.repeat(3) + HEALTH)).toEqual([200, 200]);
});

describe('when all connections are taken', () => {
  /** A server for three, which answers /here at once, and /held when it is let go. */
  async function serveThree() {
    const lines: string[] = [];
    const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
    let held = 0;
    let begun = 0;
    const app = createServer(
      {
        requestTimeoutMs: 60_000,
        handlerTimeoutMs: 60_000,
        maxConnections: 3,
        onUnavailable: (_cause, line) => lines.push(line),
      },
      createLog('silent'),
    );
    later(() => app.close());
    app.addHook('onRequest', async () => {
      begun++;
    });
    app.get('/here', () => 'yes');
    app.post('/here', () => 'yes');
    app.get('/held', async () => {
      held++;
      await letGo;
      return 'yes';
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      connect: async () => new Client(await open(url)),
      heldIs: (count: number) => reached(() => held, count),
      begunIs: (count: number) => reached(() => begun, count),
      lines,
      go,
    };
  }
  const reached = (look: () => number, count: number) => until(look, (seen) => seen === count);

  class Client {
    answers = 0;
    isOpen = true;
    readonly #socket: Socket;

    constructor(socket: Socket) {
      this.#socket = socket
        .on('error', () => {})
        .once('close', () => {
          this.isOpen = false;
        });
      socket.setEncoding('utf8').on('data', (text) => {
        this.answers += String(text).match(/HTTP\/1\.1 200/g)?.length ?? 0;
      });
    }

    send(bytes: string): void {
      this.#socket.write(bytes);
    }

    /** Resolves when it is answered, and fails when the connection is closed instead. */
    async ask(path: string): Promise<void> {
      const before = this.answers;
      this.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await until(
        () => this.answers > before || !this.isOpen,
        (isOver) => isOver,
      );
      expect(this.answers).toBe(before + 1);
    }

    isClosed = () =>
      until(
        () => this.isOpen,
        (isOpen) => !isOpen,
      );
  }

  it('the one that was idle longest goes for a new one, and none that waits for its answer', async () => {
    const { connect, heldIs, lines, go } = await serveThree();
    const busy = await connect();
    const waits = busy.ask('/held');
    await heldIs(1);
    const [renewed, idle] = [await connect(), await connect()];
    await renewed.ask('/here');
    await idle.ask('/here');
    await renewed.ask('/here');

    const fresh = await connect();
    await fresh.ask('/here');
    await idle.isClosed();
    expect([busy.isOpen, renewed.isOpen, fresh.isOpen]).toEqual([true, true, true]);
    go();
    await waits;
    expect(lines).toEqual(['all connections are taken: the one that was idle longest was closed for a new one']);
  });

  it('one that has sent half a head is idle', async () => {
    const { connect } = await serveThree();
    const half = await connect();
    half.send('GET /here HTTP/1.1\r\nHost:');
    for (let i = 0; i < 2; i++) await (await connect()).ask('/here');
    half.send(' x\r\nX-More: ');
    await (await connect()).ask('/here');
    await half.isClosed();
  });

  it('when none is idle, the one that has been sending its request longest goes, and none that waits for its answer', async () => {
    const { connect, heldIs, begunIs, lines, go } = await serveThree();
    const busy = await connect();
    const waits = busy.ask('/held');
    await heldIs(1);
    let begun = 1;
    const [first, second] = [await connect(), await connect()];
    for (const client of [first, second]) {
      // The first half of its body.
      client.send('POST /here HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{');
      await begunIs(++begun);
    }

    const fresh = await connect();
    await fresh.ask('/here');
    await first.isClosed();
    second.send('}');
    go();
    await waits;
    await until(
      () => second.answers,
      (answers) => answers === 1,
    );
    expect([busy.isOpen, second.isOpen, fresh.isOpen]).toEqual([true, true, true]);
    expect(lines).toEqual([expect.stringContaining('sending longest')]);
  });

  it('a new one is closed only while all others wait for their answers', async () => {
    const { connect, heldIs, lines, go } = await serveThree();
    const busy = [await connect(), await connect(), await connect()];
    const waits = busy.map((client) => client.ask('/held'));
    await heldIs(3);
    await (await connect()).isClosed();
    expect(lines).toEqual([expect.stringContaining('a new one was closed')]);
    go();
    await Promise.all(waits);
    await (await connect()).ask('/here');
  });
});
