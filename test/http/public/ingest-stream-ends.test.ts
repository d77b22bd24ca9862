/** Streams of documents that are hostile, silent or cut off: how they end, what is stored, and what others notice. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSending, sendLines } from '../../support/ingest-stream.ts';
import { later } from '../../support/later.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService();
const { call, url, admin, internals } = service;
const { tenantId, key } = await service.newTenant();
const own = { tenantId, tenantKey: key };
const MEGABYTE = 1024 * 1024;
const note = (scope: string, n: number | string) => ({
  scope_id: scope,
  name: `Note ${n}`,
  text: `It is ${n}.`,
  idempotency_key: `${scope} ${n}`,
});
const queued = async (scope: string, at: TestService = service, tenantKey = key) =>
  (await at.call('GET', `/api/scopes/${scope}/summary`, { tenantKey })).body.documents?.queued ?? 0;
const openStreams = async (at: TestService = service) => {
  const { body } = await at.call('GET', '/internals/metrics', { key: at.internals });
  return Number(/^docket_ingest_streams (\d+)$/m.exec(body)?.[1]);
};
const statuses = (answers: { status?: number }[]) => answers.flatMap(({ status }) => status ?? []);

describe('too much', () => {
  it('a line of 100 MB costs that line, and no memory', async () => {
    const sending = openSending(url, own);
    await sending.send(note('long', 1), '{"text":"');
    const before = process.memoryUsage().rss;
    const piece = Buffer.alloc(MEGABYTE, 'x');
    for (let n = 0; n < 100; n++) await sending.send(piece);
    const grown = process.memoryUsage().rss - before;
    await sending.send('"}\n', note('long', 2));
    sending.end();
    const answers = await sending.all();
    expect(statuses(answers)).toEqual([202, 413, 202]);
    expect(answers[1].line).toBe(2);
    // The client is in the same process, and copies all of it once.
    expect(grown).toBeLessThan(120 * MEGABYTE);
    expect(await queued('long')).toBe(2);
  });

  it('what unpacks to 300 MB is a line that is too long', async () => {
    const gzip = createGzip();
    const packed = (async () => Buffer.concat(await Array.fromAsync<Buffer>(gzip)))();
    gzip.write(`${JSON.stringify(note('bomb', 1))}\n`);
    for (let n = 0; n < 300; n++)
      if (!gzip.write(Buffer.alloc(MEGABYTE))) await new Promise((resolve) => gzip.once('drain', resolve));
    gzip.end(`\n${JSON.stringify(note('bomb', 2))}\n`);
    const answers = await sendLines(url, { ...own, headers: { 'content-encoding': 'gzip' } }, await packed);
    expect(statuses(answers)).toEqual([202, 413, 202]);
    expect(answers.at(-1)).toMatchObject({ through: 3, done: true });
  });

  it('200,000 blank lines count, and others are answered meanwhile', async () => {
    const sending = openSending(url, { ...own, query: 'answers=errors' });
    let answered = 0;
    let isOver = false;
    const beside = (async () => {
      while (!isOver) {
        expect((await call('GET', '/livez')).status).toBe(200);
        answered++;
      }
    })();
    await sending.send('\n'.repeat(200_000), note('blank', 1));
    sending.end();
    const answers = await sending.all();
    isOver = true;
    await beside;
    expect(answers.at(-1)).toMatchObject({ through: 200_001, accepted: 1, rejected: 0, done: true });
    expect(answered).toBeGreaterThan(10);
  });

  it('pieces of a byte each are refused when there is no end of them, and what came before is stored', async () => {
    const sending = openSending(url, own);
    await sending.send(note('crumbs', 1));
    await sending.got(1);
    for (let n = 0; n < 15_000 && !sending.isEnded(); n++) await sending.send('x');
    expect((await sending.all()).at(-1)).toMatchObject({ through: 1, done: false, error: { code: 'bad_request' } });
  });

  it('more streams of one tenant than may be are 429; others have theirs', async () => {
    const busy = await service.newTenant();
    const sendings = Array.from({ length: 8 }, () => openSending(url, { tenantId: busy.tenantId }));
    for (const [n, sending] of sendings.entries()) await sending.send(note('streams', n));
    await Promise.all(sendings.map((sending) => sending.got(1)));
    const { status, body, headers } = await call('POST', '/api/ingest/stream', { tenantId: busy.tenantId });
    expect([status, body.code, headers.get('ratelimit')]).toEqual([429, 'too_many_requests', '"streams";r=0;t=5']);
    expect((await sendLines(url, own, note('streams', 1))).at(-1)).toMatchObject({ accepted: 1, done: true });
    for (const sending of sendings) sending.end();
    for (const sending of sendings) expect((await sending.all()).at(-1)).toMatchObject({ done: true });
  });

  it('more streams than the settings say are 429 for the tenant, and 503 for others', async () => {
    const small = await startTestService({ settings: { MAX_INGEST_STREAMS: '2', TENANT_INGEST_STREAMS: '1' } });
    const tenants = [await small.newTenant(), await small.newTenant(), await small.newTenant()];
    const sendings = tenants.slice(0, 2).map((tenant) => openSending(small.url, { tenantId: tenant.tenantId }));
    for (const sending of sendings) await sending.send(note('places', 1));
    await Promise.all(sendings.map((sending) => sending.got(1)));
    const refusals = [];
    for (const tenant of [tenants[0], tenants[2]])
      refusals.push(await small.call('POST', '/api/ingest/stream', { tenantId: tenant?.tenantId as string }));
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [429, 'too_many_requests'],
      [503, 'unavailable'],
    ]);
    for (const sending of sendings) sending.end();
    for (const sending of sendings) expect((await sending.all()).at(-1)).toMatchObject({ done: true });
  });
});

describe('a client that does not read', () => {
  it('until it has sent everything is answered all the same, with errors alone', async () => {
    const sending = openSending(url, { ...own, query: 'answers=errors', isUnread: true });
    const lines = Array.from({ length: 20_000 }, (_item, n) => note('unread', n));
    await sending.send(...lines);
    sending.end();
    await until(
      () => queued('unread'),
      (count) => count === 20_000,
    );
    sending.read();
    const answers = await sending.all();
    expect(answers).toHaveLength(21);
    expect(answers.at(-1)).toEqual({ through: 20_000, accepted: 20_000, rejected: 0, skipped: 0, done: true });
  });
});

describe('a body that breaks off', () => {
  it('with bad gzip is answered up to there', async () => {
    const good = gzipSync(`${JSON.stringify(note('torn', 1))}\n`, { finishFlush: 2 });
    const headers = { 'content-encoding': 'gzip' };
    for (const bytes of [good.subarray(0, -1), Buffer.concat([good.subarray(0, 10), Buffer.alloc(50, 'x')])]) {
      const answers = await sendLines(url, { ...own, headers }, bytes);
      expect(answers.at(-1)).toMatchObject({ done: false, error: { code: 'bad_request' } });
      expect(answers.at(-1).error.detail).toContain('gzip');
    }
  });

  it('because the client vanishes: what was answered is stored, half a line is not, and nothing is left open', async () => {
    const sending = openSending(url, own);
    await sending.send(note('gone', 1), note('gone', 2), JSON.stringify(note('gone', 3)));
    await sending.got(2);
    sending.vanish();
    await until(openStreams, (count) => count === 0);
    expect(await queued('gone')).toBe(2);
    const again = await sendLines(url, own, ...[1, 2, 3].map((n) => note('gone', n)));
    expect(again.map(({ replayed }) => replayed)).toEqual([true, true, undefined, undefined]);
    expect(await queued('gone')).toBe(3);
  });

  it('with what is no HTTP is told so in the last line', async () => {
    const sending = openSending(url, own);
    await sending.send(note('broken', 1));
    await sending.got(1);
    sending.socket()?.write('no chunk at all\r\n\r\n');
    expect((await sending.all()).at(-1)).toMatchObject({ through: 1, done: false, error: { code: 'bad_request' } });
  });
});

describe('silence', () => {
  it('ends a stream, and a slow one lasts as long as it says something', async () => {
    const hasty = await startTestService({ settings: { REQUEST_TIMEOUT_MS: '1000' } });
    const tenant = await hasty.newTenant();
    const sending = openSending(hasty.url, { tenantId: tenant.tenantId });
    const began = performance.now();
    let n = 0;
    // Longer than an ordinary request may take, whenever Node looks for those.
    while (performance.now() - began < 4000) {
      await sending.send(note('slow', n++));
      await sending.got(n);
    }
    const answers = await sending.all();
    expect(answers.at(-1)).toMatchObject({
      through: n,
      accepted: n,
      done: false,
      error: { code: 'request_timeout', status: 408 },
    });
    expect(await queued('slow', hasty, tenant.key)).toBe(n);
  });
});

describe('a client that says something, but no line', () => {
  it.each([
    ['bytes of a line without an end', 'x'],
    ['blank lines', ' \n'],
  ])('is ended: %s', async (_what, piece) => {
    const hasty = await startTestService({ settings: { REQUEST_TIMEOUT_MS: '1000' } });
    const tenant = await hasty.newTenant();
    const sending = openSending(hasty.url, { tenantId: tenant.tenantId });
    await sending.send(note('dripping', 1));
    await sending.got(1);
    await until(
      async () => {
        await sending.send(piece);
        return sending.isEnded();
      },
      (ended) => ended,
    );
    const last = sending.answers.at(-1);
    expect(last).toMatchObject({ accepted: 1, done: false, error: { code: 'request_timeout', status: 408 } });
    expect(last.error.detail).toContain('No whole line came in 4 s');
  });
});

describe('when all connections are taken', () => {
  it('a stream stays, and one that has been sending an ordinary request goes', async () => {
    const small = await startTestService({ settings: { MAX_CONNECTIONS: '3' } });
    const { tenantId: id } = await small.newTenant();
    const sending = openSending(small.url, { tenantId: id });
    await sending.send(note('full', 1));
    await sending.got(1);
    const { port } = new URL(small.url);
    const half = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${id}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;
    let closed = 0;
    for (let n = 0; n < 4; n++) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(half));
      socket.on('error', () => {}).once('close', () => closed++);
      later(() => socket.destroy());
    }
    await until(
      () => closed,
      (count) => count === 2,
    );
    await sending.send(note('full', 2));
    sending.end();
    expect((await sending.all()).at(-1)).toMatchObject({ through: 2, accepted: 2, done: true });
  });
});

describe('a client that says that this is its last request', () => {
  it.each([
    ['a length', (line: string) => [`Content-Length: ${line.length}`, line]],
    ['chunks', (line: string) => ['Transfer-Encoding: chunked', `${line.length.toString(16)}\r\n${line}\r\n0\r\n\r\n`]],
  ])('hears the end of the connection behind that of its answers, with %s', async (_how, bodyOf) => {
    const [length, body] = bodyOf(`${JSON.stringify(note('last', 1))}\n`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    later(() => socket.destroy());
    const type = 'Content-Type: application/x-ndjson';
    const head = [
      'POST /api/ingest/stream HTTP/1.1',
      'Host: x',
      `X-Tenant-ID: ${tenantId}`,
      type,
      'Connection: close',
      length,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    const answer = await text(socket);
    expect(answer).toContain('"accepted":1');
    expect(answer).toMatch(/"done":true\}\n\r\n0\r\n\r\n$/);
  });
});

describe('limits', () => {
  it('slow a stream down and refuse no line', async () => {
    const slow = await service.newTenant();
    const limits = { rate_per_s: 100, burst: 10, bytes_per_s: 20_000 };
    await call('PATCH', `/admin/tenants/${slow.tenantId}`, { key: admin, body: { limits } });
    const lines = Array.from({ length: 150 }, (_item, n) => note('slowed', n));
    const answers = await sendLines(url, { tenantId: slow.tenantId }, ...lines);
    expect(answers.at(-1)).toMatchObject({ through: 150, accepted: 150, done: true });
    const refused = /reason="(rate_per_s|bytes_per_s)"\} [1-9]/;
    expect((await call('GET', '/internals/metrics', { key: internals })).body).not.toMatch(refused);
  });
});

describe('a stream that is ended by us', () => {
  it('because its key is revoked says so, and how far it came', async () => {
    const { body } = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body: {} });
    const sending = openSending(url, { tenantId, tenantKey: body.api_key });
    await sending.send(note('revoked', 1));
    await sending.got(1);
    await call('DELETE', `/admin/tenants/${tenantId}/keys/${body.key_prefix}`, { key: admin });
    expect((await sending.all()).at(-1)).toMatchObject({ through: 1, done: false, error: { code: 'unauthorized' } });
  });

  it('because its tenant is deleted says so', async () => {
    const short = await service.newTenant();
    const sending = openSending(url, { tenantId: short.tenantId });
    await sending.send(note('deleted', 1));
    await sending.got(1);
    await call('DELETE', `/admin/tenants/${short.tenantId}`, { key: admin });
    await until(
      async () => {
        await sending.send(note('deleted', 2));
        return sending.isEnded();
      },
      (ended) => ended,
    );
    expect(sending.answers.at(-1)).toMatchObject({ done: false, error: { code: 'unauthorized' } });
  });

  it('because the process ends: what was sent is answered, and the last line says where to go on', async () => {
    const ending = await startTestService();
    const tenant = await ending.newTenant();
    const sending = openSending(ending.url, { tenantId: tenant.tenantId });
    await sending.send(...[1, 2, 3].map((n) => note('ending', n)));
    await sending.got(3);
    const closed = ending.close();
    expect((await sending.all()).at(-1)).toMatchObject({
      through: 3,
      accepted: 3,
      done: false,
      error: { status: 503 },
    });
    await closed;
  });
});
