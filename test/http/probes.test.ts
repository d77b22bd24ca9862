/** What a cluster asks each process: does it run, and should it be given work. */
import { describe, expect, it } from 'vitest';
import { newRedisUrl, onRedis } from '../support/backends.ts';
import { newDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const OK = { status: 200, body: { status: 'ok', version: '0.1.0' } };

const ready = async ({ call }: TestService, status: number) =>
  until(
    () => call('GET', '/readyz'),
    (answer) => answer.status === status,
  );

/** A service whose way to something can be cut. */
async function startBehindProxy(address: string, settings: (url: string) => Record<string, string>) {
  const url = new URL(address);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  return { proxy, service: await startTestService({ settings: settings(url.href) }) };
}

describe.each(['all', 'api', 'worker'])('ROLE=%s', (ROLE) => {
  it('is alive and ready as soon as it listens, to anybody', async () => {
    const { call } = await startTestService({ settings: { ROLE } });
    for (const path of ['/livez', '/readyz']) {
      expect(await call('GET', path)).toMatchObject(OK);
      expect(await call('GET', path, { key: 'nonsense', tenantKey: 'nonsense' })).toMatchObject(OK);
      expect((await call('HEAD', path)).status).toBe(200);
      const other = await call('POST', path);
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});

it('is not ready while Postgres is away or silent, says so, and is alive all the time', async () => {
  const { proxy, service } = await startBehindProxy(await newDatabase(), (DATABASE_URL) => ({ DATABASE_URL }));
  for (const cut of ['down', 'stall'] as const) {
    proxy[cut]();
    const { body } = await ready(service, 503);
    expect(body).toMatchObject({ status: 'unavailable', detail: expect.stringContaining('does not answer') });
    expect(await service.call('GET', '/livez')).toMatchObject(OK);
    proxy.up();
    expect(await ready(service, 200)).toMatchObject(OK);
  }
});

onRedis('the queue in Redis', () => {
  it('is needed by a worker to be ready, and not by those who accept', async () => {
    const start = (ROLE: string) => startBehindProxy(newRedisUrl(), (REDIS_URL) => ({ REDIS_URL, ROLE }));
    const [worker, api] = [await start('worker'), await start('api')];
    for (const { proxy } of [worker, api]) proxy.down();
    expect((await ready(worker.service, 503)).body.detail).toBe('The queue does not answer; documents wait.');
    expect(await api.service.call('GET', '/readyz')).toMatchObject(OK);
    worker.proxy.up();
    await ready(worker.service, 200);
  });
});

it('is ready while operators have the runtime stopped: the process works as soon as they let it', async () => {
  const worker = await startTestService({ settings: { ROLE: 'worker' } });
  const api = await startTestService({ settings: { DATABASE_URL: worker.databaseUrl } });
  expect((await api.call('POST', '/admin/runtime/stop', { key: api.admin })).status).toBe(200);
  await until(
    async () => (await worker.call('GET', '/internals/kernel/hatchery/snapshot', { key: worker.internals })).body,
    ({ workers }) => workers.length === 0,
  );
  expect(await worker.call('GET', '/readyz')).toMatchObject(OK);
});
