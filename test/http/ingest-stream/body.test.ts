/** What lies ready of a body that nobody reads on: little, however it is packed or cut. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { StreamBody } from '../../../src/http/ingest-stream/body.ts';
import { later } from '../../support/later.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;

/** A body of which nothing is taken, and a client that sends all of it as fast as it may. */
async function begin(headers: Record<string, string>, bytes: Buffer) {
  const { promise, resolve } = Promise.withResolvers<StreamBody>();
  let told = 0;
  const server = createServer((raw, response) => {
    const isPacked = raw.headers['content-encoding'] === 'gzip';
    resolve(new StreamBody(raw, response, isPacked, () => told++));
  });
  later(() => server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false }).on('error', () => {});
  later(() => sending.destroy());
  sending.flushHeaders();
  const body = await promise;
  sending.socket?.write(bytes);
  // Until nothing more is taken: nobody is told any more.
  let before = 0;
  await until(
    () => {
      const isStill = told > 0 && told === before;
      before = told;
      return isStill;
    },
    (isStill) => isStill,
  );
  return body;
}

/** What can be had without a wait in between, in which more would come. */
function readyOf(body: StreamBody): Buffer[] {
  const pieces: Buffer[] = [];
  for (let piece = body.next(); piece; piece = body.next()) pieces.push(piece);
  return pieces;
}

it('of a gzip bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * MEGABYTE));
  const headers = { 'content-encoding': 'gzip', 'content-length': `${bomb.length}` };
  const bytes = readyOf(await begin(headers, bomb)).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeGreaterThan(16 * 1024);
  expect(bytes).toBeLessThan(128 * 1024);
});

it('of a body in pieces of a byte each, each of which takes two hundred', async () => {
  const crumbs = Buffer.from('1\r\nx\r\n'.repeat(50_000));
  const pieces = readyOf(await begin({ 'transfer-encoding': 'chunked' }, crumbs)).length;
  expect(pieces).toBeGreaterThan(100);
  expect(pieces).toBeLessThan(1000);
});
