/** Exports that take long: one whose client never reads is ended, and one that its tenant's limits hold up says that it is there. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { addLargeDocuments, askExport, linesOf } from '../support/exported.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

// Both wait for half a minute, each with a service of its own: at once.
it.concurrent('when nothing was taken for half a minute', async () => {
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

it.concurrent('while its tenant has read more than it may, the place to go on from comes every ten seconds', async () => {
  const service = await startTestService({ settings: { TENANT_READS_PER_S: '1' } });
  const tenant = await service.newTenant();
  await addLargeDocuments(service, tenant, 'held-up', 100);
  const ending = new AbortController();
  later(() => ending.abort());
  const heard = async () => {
    const response = await fetch(`${service.url}/api/scopes/held-up/export?include=documents,texts`, {
      headers: { 'x-tenant-api-key': tenant.key },
      signal: ending.signal,
    });
    let body = '';
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      body += Buffer.from(piece).toString();
      const last = linesOf(`${body.slice(body.lastIndexOf('\n', body.length - 2) + 1)}`).at(-1);
      const times = body.split(`"cursor":"${last?.cursor}"`).length - 1;
      if (last?.kind === 'cursor' && times >= 2) return last.cursor as string;
    }
    return null;
  };
  // Each has some 16 reads in a page: together they are held up for half a minute.
  const cursors = await Promise.all([heard(), heard()]);
  expect(cursors).toEqual([expect.any(String), expect.any(String)]);
});
