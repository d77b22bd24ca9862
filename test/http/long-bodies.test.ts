/** Connections of streams: for how long what bounds ordinary requests leaves them alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { hasLongBody } from '../../src/http/long-bodies.ts';
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

const head = (more = '') =>
  `POST /api/ingest/stream HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/x-ndjson\r\n${more}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const line = (scope: string) => `${JSON.stringify({ scope_id: scope, name: 'Note', text: 'It is one.' })}\n`;

it('one that follows an early end on the same connection is a stream to its own end', async () => {
  const seen = watchRequests();
  let text = '';
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  later(() => socket.destroy());
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const says = (words: string) =>
    until(
      () => text,
      (said) => said.includes(words),
    );
  socket.write(head('Content-Encoding: gzip\r\n') + chunk('This is no gzip.'));
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
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(text).toContain('"through":1,"accepted":1');
});
