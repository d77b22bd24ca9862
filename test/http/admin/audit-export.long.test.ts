/** An export whose client never reads, and one whose key is revoked meanwhile: both are ended, and nobody else is held up. */
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { issueKey, revokeKey } from '../../../src/domain/keys.ts';
import { later } from '../../support/later.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService();
const { call, admin, db, url } = service;
// More than the systems of both sides take of it before anybody reads.
await db.query(
  `insert into audit_log (at, action, actor_kind, actor, after)
   select clock_timestamp(), 'scope.created', 'operator', 'da_filled00', jsonb_build_object('x', repeat('x', 1000))
     from generate_series(1, 40000)`,
);

/** It reads the beginning, and then no more until it is told to. */
async function open(key: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  later(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /admin/audit/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await new Promise<void>((resolve) =>
    socket.once('data', (data: Buffer) => {
      expect(data.toString('latin1', 0, 200)).toContain('HTTP/1.1 200');
      socket.pause();
      resolve();
    }),
  );
  return socket;
}

it('of a client that does not read is ended, and its place is free again', async () => {
  const idle = [await open(admin), await open(admin), await open(admin), await open(admin)];
  expect((await call('GET', '/admin/audit/export', { key: admin })).status).toBe(503);
  expect((await call('GET', '/admin/audit?limit=1', { key: admin })).status).toBe(200);
  await until(
    async () => (await call('GET', '/admin/audit/export?actor=nobody', { key: admin })).status,
    (status) => status === 200,
  );
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve).resume())));
});

it('of a key that is revoked is broken off, without the end that an answer in chunks has', async () => {
  const { key, record } = await issueKey(db, 'admin', {}, BY_COMMAND_LINE);
  const socket = await open(key);
  await revokeKey(db, null, record.key_prefix, BY_COMMAND_LINE);
  await until(
    async () => (await call('GET', '/admin/health', { key })).status,
    (status) => status === 401,
  );
  let [length, end] = [0, ''];
  socket.on('data', (data: Buffer) => {
    length += data.length;
    end = data.toString('latin1').slice(-5);
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.resume();
  await closed;
  expect(length).toBeLessThan(40_000 * 1000);
  expect(end).not.toBe('0\r\n\r\n');
});
