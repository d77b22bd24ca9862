/** Bodies that cost more than they are worth: refused before they are parsed, or before they are read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../../src/http/body-budget.ts';
import { later } from '../support/later.ts';
import { lockTable } from '../support/lock-table.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await startTestService();
const { call } = service;
const { tenantId } = await service.newTenant();
const document = { scope_id: 'scope', name: 'A name', text: 'Some text.' };
const MEGABYTE = 1024 * 1024;

const answerOf = (socket: Socket) =>
  new Promise<string>((resolve) => socket.setEncoding('utf8').once('data', (text) => resolve(String(text))));

describe('a body of many values', () => {
  it.each([
    ['empty objects', `{"a":[${'{},'.repeat(600_000)}0]}`],
    ['arrays in arrays', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['names', `{${'"a":1,'.repeat(300_000)}"b":1}`],
    ['numbers', `[${'1,'.repeat(1_000_000)}1]`],
  ])('is 400: %s', async (_name, body) => {
    const answer = await call('POST', '/api/ingest', { tenantId, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path: 'body' }] } });
    expect(answer.body.detail).toContain('more than 64 values');
  });

  it('is 400 for its document only, in a batch, and for the batch when there is no end of them', async () => {
    const batch = (documents: unknown[]) => call('POST', '/api/ingest/batch', { tenantId, body: { documents } });
    const large = { ...document, more: Array(64).fill({}) };
    const { status, body } = await batch([document, large, document]);
    expect([status, body.results.map((result: { status: number }) => result.status)]).toEqual([202, [202, 400, 202]]);
    expect(body.results[1].error.detail).toContain('more than 64 values');
    const endless = await batch([document, { a: ['\u0041', ...Array(2_000_000).fill({})] }]);
    expect(endless).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('may have a hundred document_ids where those are asked for', async () => {
    const document_ids = Array.from({ length: 100 }, (_item, i) => `document ${i}`);
    const body = { scope_id: 'scope', claim_a: 'a', claim_b: 'b', document_ids };
    expect((await call('POST', '/api/contradictions', { tenantId, body })).status).toBe(201);
  });

  it('is answered briefly, however long its names are', async () => {
    const answer = await call('POST', '/api/ingest', { tenantId, body: { ...document, ['🙂'.repeat(250)]: 1 } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(900);
    expect(answer.body.detail).toContain('🙂🙂');
    expect(answer.body.detail.isWellFormed()).toBe(true);
  });
});

describe('a body with a name of more than 1000 bytes', () => {
  const named = { ...document, ['x'.repeat(1001)]: 1 };

  it('is 400', async () => {
    const answer = await call('POST', '/api/ingest', { tenantId, body: named });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path: 'body' }] } });
    expect(answer.body.detail).toContain('names of more than 1000 bytes');
  });

  it('is 400 for its document only, in a batch', async () => {
    const { status, body } = await call('POST', '/api/ingest/batch', {
      tenantId,
      body: { documents: [document, named, document] },
    });
    expect([status, body.results.map((result: { status: number }) => result.status)]).toEqual([202, [202, 400, 202]]);
    expect(body.results[1].error.detail).toContain('names of more than 1000 bytes');
  });
});

describe('a body in pieces of a byte each', () => {
  const inPieces = (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
  const chunks = (text: string) =>
    inPieces(text).flatMap((piece) => ['1\r\n', piece, '\r\n'].map((part) => Buffer.from(part)));
  const send = (text: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    later(() => socket.destroy());
    socket.on('error', () => {});
    const head = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), ...chunks(text), Buffer.from('0\r\n\r\n')]));
    return answerOf(socket);
  };

  it('is read like any other', async () =>
    expect(await send(JSON.stringify({ ...document, text: 'é🙂\\" {[,'.repeat(200) }))).toMatch(/^HTTP\/1\.1 202 /));

  it('is 400 when there is no end of them', async () =>
    expect(await send(JSON.stringify({ ...document, text: 'x'.repeat(90_000) }))).toMatch(
      /^HTTP\/1\.1 400 .*very small pieces/s,
    ));
});

describe('bodies on their way', () => {
  /** Sends a head that announces a body, and what is given of the body. */
  function begin(ofTenant: string, length: number, bytes = '{'): Socket {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    later(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(
      `POST /api/ingest/batch HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${ofTenant}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${bytes}`,
    );
    return socket;
  }

  it('429: more than the share of a tenant, before they are read; others are served; and what ends is given back', async () => {
    const [greedy, other] = [await service.newTenant(), await service.newTenant()];
    const post = (to: { tenantId: string }) => call('POST', '/api/ingest', { tenantId: to.tenantId, body: document });
    const held = Array.from({ length: 4 }, () => begin(greedy.tenantId, 8 * MEGABYTE));
    const refused = await until(
      async () => {
        const answer = await post(greedy);
        return { ...answer, retryAfter: answer.headers.get('retry-after'), limit: answer.headers.get('ratelimit') };
      },
      ({ status }) => status === 429,
    );
    expect(refused).toMatchObject({ body: { code: 'too_many_requests' }, retryAfter: '1', limit: '"bodies";r=0;t=1' });
    expect(await answerOf(begin(greedy.tenantId, 8 * MEGABYTE))).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1/is);
    expect((await post(other)).status).toBe(202);

    for (const socket of held) socket.destroy();
    await until(
      async () => (await post(greedy)).status,
      (status) => status === 202,
    );
    for (let i = 0; i < 10; i++) {
      const documents = Array(80).fill({ ...document, text: 'x'.repeat(90_000) });
      const answer = await call('POST', '/api/ingest/batch', { tenantId: greedy.tenantId, body: { documents } });
      expect(answer.status).toBe(202);
    }
  });

  it('take from one budget: a tenant at most a quarter, and nobody more than is left for the others', () => {
    const budget = new BodyBudget(1000);
    const giveBack = budget.take('a', 250);
    expect(() => budget.take('a', 1)).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
    budget.take('b', 250);
    const third = budget.take('c', 250);
    expect(() => budget.take('d', 126)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    budget.take('d', 125);
    budget.take('e', 60);
    expect(() => budget.take(null, 66)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 }));
    budget.take(null, 65);
    expect(() => budget.take(null, 1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    for (const give of [giveBack, third]) give();
    budget.take('a', 250);
  });
});

it('a client that goes while it is looked up who it is takes nothing with it', async () => {
  const { tenantId } = await service.newTenant();
  const post = () => call('POST', '/api/ingest', { tenantId, body: document });
  // Nobody is looked up while this is held.
  const letGo = await lockTable(service.db, 'tenants');
  for (let n = 0; n < 5; n++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `POST /api/ingest/batch HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nContent-Length: ${8 * MEGABYTE}\r\n\r\n{`,
      () => socket.resetAndDestroy(),
    );
    await once(socket, 'close');
  }
  await letGo();
  await until(post, ({ status }) => status === 202);
});
