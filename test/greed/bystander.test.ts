/** The bystander against a real service: what it sees when all is well, and when it is refused. */
import { expect, it } from 'vitest';
import { Bystander } from '../../greed/bystander/bystander.ts';
import { post } from '../../greed/bystander/posts.ts';
import { enclosed } from '../../storm/ending.ts';
import { startTestService } from '../support/service.ts';

it('measures from a process of its own', async () => {
  const service = await startTestService({ settings: { ROLE: 'all' } });
  const { tenantId: id, key } = await service.newTenant();
  await enclosed(async () => {
    const bystander = await Bystander.start({
      tenants: [{ id, key }],
      urls: () => [service.url],
      ask: async (sql, values) => (await service.db.query(sql, values)).rows,
    });
    const posted = await bystander.post({ phase: 'before', posts: 20, perSecond: 200 });
    expect(posted.refused).toEqual({});
    expect(posted.latencies).toHaveLength(20);
    const { p50, p99, processedP95 } = await bystander.figures('before', posted);
    expect(p50).toBeGreaterThan(0);
    expect(p99).toBeGreaterThanOrEqual(p50);
    expect(processedP95).toBeGreaterThan(0);
    expect(processedP95).toBeLessThan(Infinity);
  });
});

it('counts what is refused, and what is not answered', async () => {
  const service = await startTestService();
  const wish = {
    url: service.url,
    tenant: { id: 'ten_nobody', key: '' },
    phase: 'x',
    from: 0,
    posts: 5,
    perSecond: 1000,
  };
  expect(await post(wish)).toEqual({ latencies: [], refused: { 401: 5 } });
  await service.close();
  expect(await post(wish)).toEqual({ latencies: [], refused: { 0: 5 } });
});
