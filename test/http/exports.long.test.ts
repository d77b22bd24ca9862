/** An export whose client never reads is ended, and its place is free again. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { addLargeDocuments, askExport } from '../support/exported.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

it('when nothing was taken for half a minute', async () => {
  const service = await startTestService({ settings: { TENANT_EXPORTS: '1' } });
  const tenant = await service.newTenant();
  await addLargeDocuments(service, tenant, 'unread', 400);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  later(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /api/scopes/unread/export HTTP/1.1\r\nHost: x\r\nX-Tenant-API-Key: ${tenant.key}\r\n\r\n`);
  // Its beginning is there, and nothing more is read; whoever asked before that might take its place.
  await once(socket, 'readable');
  expect((await askExport(service, tenant, 'unread', '?include=claims')).status).toBe(429);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await until(
    async () => (await askExport(service, tenant, 'unread', '?include=claims')).status,
    (status) => status === 200,
  );
  let tail = '';
  socket.on('data', (piece) => {
    tail = `${tail}${piece}`.slice(-1000);
  });
  await ended;
  expect(tail).not.toContain('"kind":"end"');
});
