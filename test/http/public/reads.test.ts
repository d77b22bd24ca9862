import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { lockTable } from '../../support/lock-table.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService();
const { call } = service;

it('clients that go while it is looked up who they are leave their places to the next', async () => {
  const { tenantId, key } = await service.newTenant();
  await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
  // Nobody's key is looked up while this is held.
  const letGo = await lockTable(service.db, 'api_keys');
  for (let n = 0; n < 5; n++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET /api/scopes/s/summary HTTP/1.1\r\nHost: x\r\nX-Tenant-API-Key: ${key}\r\n\r\n`, () =>
      socket.resetAndDestroy(),
    );
    await once(socket, 'close');
  }
  await letGo();
  await until(
    () => call('GET', '/api/scopes/s/summary', { tenantKey: key }),
    ({ status }) => status === 200,
  );
});

it('of a document whose scope somebody has locked are answered while deletions of it wait, and those are told to come back', async () => {
  const { tenantId, key } = await service.newTenant();
  const body = { scope_id: 's', name: 'n', text: 't', document_id: 'd' };
  await call('POST', '/api/ingest', { tenantId, body });
  const path = '/api/documents/d?scope_id=s';
  await service.db.transaction(async (tx) => {
    await tx.query('select from scopes where tenant_id = $1 for update', [tenantId]);
    const gone: string[] = [];
    const erase = async () => {
      const { status } = await call('DELETE', path, { tenantKey: key });
      gone.push('deletion');
      return status;
    };
    const deletions = Promise.all(Array.from({ length: 2 }, erase));
    expect((await call('GET', path, { tenantKey: key })).status).toBe(200);
    expect(gone).toEqual([]);
    expect(new Set(await deletions)).toEqual(new Set([503]));
  });
  expect((await call('DELETE', path, { tenantKey: key })).status).toBe(204);
});
