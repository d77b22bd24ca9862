/** Redis may be away, silent or emptied: documents are accepted all the same, and every lane comes back. */
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { newRedisUrl, onRedis } from '../support/backends.ts';
import { startTestKernel, type TestKernel } from '../support/kernel.ts';
import { startProxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';

const N = 20;

async function behindProxy(settings = {}) {
  const url = new URL(newRedisUrl());
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  return { proxy, start: () => startTestKernel({ settings: () => ({ REDIS_URL: url.href }) }, settings) };
}

/** Posts to many scopes, each of which is accepted. */
async function post(kernel: TestKernel, tenant: { tenantId: string; key: string }, name: string) {
  const answers = await Promise.all(Array.from({ length: N }, (_, n) => kernel.ingest(tenant, `${name}-${n}`, 'ok')));
  expect(answers.map(({ status }) => status)).toEqual(Array(N).fill(202));
}

const allProcessed = (kernel: TestKernel, n: number) =>
  until(
    async () => {
      const { rows } = await kernel.db.query<{ n: number }>('select coalesce(sum(processed), 0)::int as n from scopes');
      return rows[0]?.n;
    },
    (seen) => seen === n,
  );

const queueCheck = async (kernel: TestKernel) => {
  const { status, body } = await kernel.call('GET', '/admin/control-plane/health', { key: kernel.admin });
  return [status, body.checks.queue.status];
};

onRedis('when Redis', () => {
  it('is down, documents are accepted, health says so, and every lane comes back', async () => {
    const { proxy, start } = await behindProxy();
    const kernel = await start();
    const tenant = await kernel.newTenant();
    await post(kernel, tenant, 'before');
    await allProcessed(kernel, N);
    proxy.down();
    await post(kernel, tenant, 'during');
    expect(await queueCheck(kernel)).toEqual([503, 'down']);
    expect((await kernel.call('GET', '/api/health')).status).toBe(200);
    proxy.up();
    await allProcessed(kernel, 2 * N);
    await until(
      () => queueCheck(kernel),
      ([status]) => status === 200,
    );
  });

  it('falls silent, nobody waits for it', async () => {
    const { proxy, start } = await behindProxy();
    const kernel = await start();
    const tenant = await kernel.newTenant();
    proxy.stall();
    // It stays silent until all of them are answered.
    for (let round = 0; round < 3; round++) await post(kernel, tenant, `silent-${round}`);
    expect(await queueCheck(kernel)).toEqual([503, 'down']);
    proxy.up();
    await allProcessed(kernel, 3 * N);
  });

  it('is emptied, every lane comes back', async () => {
    const url = newRedisUrl();
    const kernel = await startTestKernel({ settings: () => ({ REDIS_URL: url }) });
    const tenant = await kernel.newTenant();
    await kernel.control('pause');
    await post(kernel, tenant, 'flushed');
    const redis = new Redis(url);
    await redis.flushdb();
    redis.disconnect();
    await kernel.control('resume');
    await allProcessed(kernel, N);
  });

  it('is not there at the start, the service starts, accepts, and processes once it comes', async () => {
    const { proxy, start } = await behindProxy();
    proxy.down();
    const kernel = await start();
    expect(kernel.logged()).toContain('Redis does not answer');
    const tenant = await kernel.newTenant();
    await post(kernel, tenant, 'early');
    proxy.up();
    await allProcessed(kernel, N);
  });

  it('is away for good, the service still closes', async () => {
    const { proxy, start } = await behindProxy();
    const kernel = await start();
    await post(kernel, await kernel.newTenant(), 'last');
    proxy.down();
    await kernel.close();
  });
});
