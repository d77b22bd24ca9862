import { connect } from 'node:net';
import { it } from 'vitest';
import { later } from '../../support/later.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService({ settings: { DB_POOL_SIZE: '4' } });
const { call } = service;

it('clients that ask and go away leave room for the next', async () => {
  const { tenantId, key } = await service.newTenant();
  await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
  const read = () => call('GET', '/api/scopes/s/summary', { tenantKey: key });
  const { port } = new URL(service.url);
  for (let round = 0; round < 20; round++) {
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      later(() => socket.destroy());
      socket.write(`GET /api/scopes/s/summary HTTP/1.1\r\nHost: x\r\nX-Tenant-API-Key: ${key}\r\n\r\n`);
      return socket;
    });
    await read();
    for (const socket of sockets) socket.destroy();
  }
  await until(read, ({ status }) => status === 200);
});
