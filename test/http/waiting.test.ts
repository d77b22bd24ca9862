/** Those who wait, on real sockets: how many may, what they cost others, and what ends their wait. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { newHeld, OBEDIENT, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService, type TestOptions } from '../support/service.ts';
import { until } from '../support/until.ts';
import { beforeTimeIsOver, beginWaiting, LONG, untilWaiting, waitOnSocket } from '../support/waiting.ts';

/** An api node with a queued document that nobody takes. */
async function startWaiting(settings: TestOptions['settings'] = {}) {
  const service = withVerbs(await startTestService({ settings }));
  const tenant = await service.newTenant();
  await until(
    () => service.ingest(tenant, 's', 'ok', { document_id: 'd' }),
    ({ status }) => status === 202,
  );
  return { service, tenant };
}
const DOCUMENT = `/api/documents/d?scope_id=s&${LONG}`;
const SUMMARY = `/api/scopes/s/summary?${LONG}`;

it('only so many of a tenant wait, of operators together, and of all; the others are told to come back, and read at once', async () => {
  const { service, tenant } = await startWaiting({ TENANT_WAITERS: '3', MAX_WAITERS: '7', DB_POOL_SIZE: '2' });
  const { call, admin } = service;
  const mine = [DOCUMENT, DOCUMENT, SUMMARY];
  for (const path of mine) await waitOnSocket(service, path, tenant.key);
  await untilWaiting(service, 3);
  for (const path of mine) {
    const refused = await call('GET', path, { tenantKey: tenant.key });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // Nobody who waits has a turn of those who read, of which there is one.
  for (const path of ['/api/documents/d?scope_id=s', '/api/scopes/s/summary?wait=0', '/api/scopes/s/documents'])
    expect((await call('GET', path, { tenantKey: tenant.key })).status).toBe(200);

  const asOperator = `/admin/tenants/${tenant.tenantId}/scopes/s/documents/d?${LONG}`;
  const operators = [];
  for (let n = 0; n < 3; n++) operators.push((await beginWaiting(service, asOperator, { key: admin })).answer);
  expect((await call('GET', asOperator, { key: admin })).status).toBe(503);

  const other = await service.newTenant();
  await service.ingest(other, 's', 'ok', { document_id: 'd' });
  const last = await beginWaiting(service, DOCUMENT, { tenantKey: other.key });
  expect((await call('GET', DOCUMENT, { tenantKey: other.key })).status).toBe(503);
  await call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: other.key });
  expect((await last.answer).status).toBe(404);
  await call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: tenant.key });
  for (const { status } of await Promise.all(operators)) expect(status).toBe(404);
  await untilWaiting(service, 0);
});

it('one who hangs up is forgotten, and its place is free', async () => {
  const { service, tenant } = await startWaiting({ TENANT_WAITERS: '2' });
  const sockets = [await waitOnSocket(service, DOCUMENT, tenant.key), await waitOnSocket(service, SUMMARY, tenant.key)];
  await untilWaiting(service, 2);
  for (const socket of sockets) socket.resetAndDestroy();
  await untilWaiting(service, 0);
  await beginWaiting(service, DOCUMENT, { tenantKey: tenant.key });
  expect(service.logged()).not.toMatch(/The client has gone|"level":"?(50|error)/);
});

it('a wait counts as one read', async () => {
  const { service, tenant } = await startWaiting({ TENANT_READS_PER_S: '1' });
  const path = DOCUMENT.replace(LONG, 'wait=1');
  const many = Array.from({ length: 9 }, () => service.call('GET', path, { tenantKey: tenant.key }));
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses).toContain(429);
  // Each looks twice, and two may read at once.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
});

it('neither the time-outs nor a crowd of connections ends a wait', async () => {
  const { service, tenant } = await startWaiting({
    HANDLER_TIMEOUT_MS: '1000',
    REQUEST_TIMEOUT_MS: '1000',
    MAX_CONNECTIONS: '20',
  });
  const whole = service.call('GET', '/api/documents/d?scope_id=s&wait=3', { tenantKey: tenant.key });
  const socket = await waitOnSocket(service, DOCUMENT, tenant.key);
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  await untilWaiting(service, 2);
  for (let n = 0; n < 40; n++) {
    const one = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    later(() => one.destroy());
    await new Promise((resolve) => one.once('connect', resolve).once('close', resolve));
  }
  expect(await whole).toMatchObject({ status: 200, body: { state: 'queued' } });
  expect([text, socket.destroyed]).toEqual(['', false]);
  await until(
    () => service.call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: tenant.key }),
    ({ status }) => status === 204,
  );
  await until(
    () => text,
    (answer) => answer.startsWith('HTTP/1.1 404'),
  );
});

it('whoever waits when the service closes is answered with what there is', async () => {
  const { service, tenant } = await startWaiting();
  const waiting = [];
  for (const path of [DOCUMENT, SUMMARY, `${SUMMARY}&through=9`])
    waiting.push((await beginWaiting(service, path, { tenantKey: tenant.key })).answer);
  await service.close();
  expect((await Promise.all(waiting)).map(({ status, body }) => [status, body.state ?? body.settled_through])).toEqual([
    [200, 'queued'],
    [200, null],
    [200, null],
  ]);
});

it('a node that only serves hears of what another has processed', async () => {
  const { service, tenant } = await startWaiting();
  const held = newHeld();
  await service.ingest(tenant, 's', held.text, { document_id: 'held' });
  const path = DOCUMENT.replace('/d?', '/held?');
  const waiting = [path, DOCUMENT, SUMMARY].map((one) => service.call('GET', one, { tenantKey: tenant.key }));
  await untilWaiting(service, 3);
  await startTestService({ pipeline: OBEDIENT, settings: { ROLE: 'worker', DATABASE_URL: service.databaseUrl } });
  held.letGo();
  const [one, two, summary] = await beforeTimeIsOver(Promise.all(waiting));
  expect([one?.body.state, two?.body.state, summary?.body.settled_through]).toEqual(['processed', 'processed', 1]);
});

it('an outage of Postgres is waited out; if it lasts longer than the wait, the answer is 503', async () => {
  const { service, tenant } = await startWaiting();
  const way = new URL(service.databaseUrl);
  const proxy = await startProxy({ host: way.hostname, port: Number(way.port) });
  way.port = `${proxy.port}`;
  const cut = await startTestService({ settings: { DATABASE_URL: way.href } });
  const waiting = cut.call('GET', DOCUMENT, { tenantKey: tenant.key });
  const short = cut.call('GET', DOCUMENT.replace(LONG, 'wait=3'), { tenantKey: tenant.key });
  await until(
    async () => cut.call('GET', '/internals/metrics', { key: cut.internals }),
    ({ body }) => /^docket_waiters 2$/m.test(body),
  );
  proxy.down();
  await service.call('DELETE', '/api/documents/d?scope_id=s', { tenantKey: tenant.key });
  expect((await short).status).toBe(503);
  proxy.up();
  expect((await beforeTimeIsOver(waiting)).status).toBe(404);
});
