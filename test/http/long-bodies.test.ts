/** Connections of streams: for how long what bounds ordinary requests leaves them alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { hasLongBody } from '../../src/http/long-bodies.ts';
import { openSending } from '../support/ingest-stream.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await startTestService();
const { tenantId } = await service.newTenant();

interface Seen {
  raw: IncomingMessage;
  response: ServerResponse;
}

/** The requests that come from now on. */
function watchRequests(): Seen[] {
  const seen: Seen[] = [];
  const note = (raw: IncomingMessage, response: ServerResponse) => void seen.push({ raw, response });
  service.app.server.on('request', note);
  later(() => service.app.server.off('request', note));
  return seen;
}

/** So slow that its lines are still being stored when all of them have come. */
async function newSlowTenant() {
  const tenant = await service.newTenant();
  const limits = { rate_per_s: 100, burst: 10 };
  await service.call('PATCH', `/admin/tenants/${tenant.tenantId}`, { key: service.admin, body: { limits } });
  return tenant;
}

/** A plain connection, and what came by it. */
function open() {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  later(() => socket.destroy());
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const says = (words: string) =>
    until(
      () => text,
      (said) => said.includes(words),
    );
  return { socket, text: () => text, says };
}

const head = ({ id = tenantId, more = '' } = {}) =>
  `POST /api/ingest/stream HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${id}\r\nContent-Type: application/x-ndjson\r\n${more}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const line = (scope: string) => `${JSON.stringify({ scope_id: scope, name: 'Note', text: 'It is one.' })}\n`;

it('one that follows an early end on the same connection is a stream to its own end', async () => {
  const seen = watchRequests();
  const { socket, text, says } = open();
  socket.write(head({ more: 'Content-Encoding: gzip\r\n' }) + chunk('This is no gzip.'));
  await says('"done":false');
  await until(
    () => seen[0]?.response.closed,
    (isClosed) => isClosed === true,
  );
  // The rest of the first in one piece with the second.
  socket.write(`${chunk('Neither is this.')}0\r\n\r\n${head()}${chunk(line('second'))}`);
  await says('"line":1,"status":202');
  await until(
    () => seen[0]?.raw.closed,
    (isClosed) => isClosed === true,
  );
  expect(seen).toHaveLength(2);
  expect(hasLongBody(seen[1]?.raw.socket as IncomingMessage['socket'])).toBe(true);
  // Told by the last line of the stream, and not by an answer in the middle of it.
  socket.write('no chunk at all\r\n\r\n');
  await says('What follows is not valid HTTP.');
  expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(text()).toContain('"through":1,"accepted":1');
});

it('one whose body is complete is a stream until all of its answer has left', async () => {
  const slow = await newSlowTenant();
  const seen = watchRequests();
  const sending = openSending(service.url, {
    tenantId: slow.tenantId,
    tenantKey: slow.key,
    headers: { 'content-encoding': 'gzip' },
  });
  // Packed, all of it is there at once.
  await sending.send(gzipSync(line('packed').repeat(100)));
  sending.end();
  await until(
    () => seen[0]?.raw.closed,
    (isClosed) => isClosed === true,
  );
  const { response, raw } = seen[0] as Seen;
  expect([response.closed, hasLongBody(raw.socket)]).toEqual([false, true]);
  expect((await sending.all()).at(-1)).toMatchObject({ through: 100, accepted: 100, done: true });
  await until(
    () => response.closed,
    (isClosed) => isClosed,
  );
  expect(hasLongBody(raw.socket)).toBe(false);
});

it('what follows a whole body and is no HTTP does not cost its stream the end', async () => {
  const { text, says, socket } = open();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const slow = await newSlowTenant();
  socket.write(`${head({ id: slow.tenantId })}${chunk(line('followed').repeat(60))}0\r\n\r\n`);
  await says('"line":1,"status":202');
  socket.write('no request at all\r\n\r\n');
  await closed;
  expect(text()).toContain('"through":60,"accepted":60,"rejected":0,"skipped":0,"done":true');
  expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});
