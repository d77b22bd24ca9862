import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService({
  settings: { TENANT_RATE_PER_S: '1', TENANT_BURST: '20', TENANT_BACKLOG: '1000' },
});
const { call, admin } = service;
const post = (tenantId: string, body: unknown = { scope_id: 's', name: 'n', text: 't' }) =>
  call('POST', '/api/ingest', { tenantId, body });
const burst = async (tenantId: string, times: number) => {
  const answers = await Promise.all(Array.from({ length: times }, () => post(tenantId)));
  return answers.filter(({ status }) => status === 202).length;
};

describe('the rate', () => {
  it('lets a burst through, then 429 with Retry-After, and later goes on', async () => {
    const { tenantId } = await service.newTenant();
    const admitted = await burst(tenantId, 40);
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(21);
    const refused = await post(tenantId);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await expect.poll(async () => (await post(tenantId)).status).toBe(202);
  });

  it('of one tenant does not touch another', async () => {
    const [loud, quiet] = [await service.newTenant(), await service.newTenant()];
    await burst(loud.tenantId, 40);
    expect((await post(quiet.tenantId)).status).toBe(202);
  });

  it('is decided before the body is parsed', async () => {
    const { tenantId } = await service.newTenant();
    await burst(tenantId, 40);
    expect((await post(tenantId, '{ not json')).status).toBe(429);
  });

  it('counts every document of a batch', async () => {
    const { tenantId } = await service.newTenant();
    const documents = Array(60).fill({ scope_id: 's', name: 'n', text: 't' });
    expect((await call('POST', '/api/ingest/batch', { tenantId, body: { documents } })).status).toBe(202);
    const refused = await post(tenantId);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  });
});

describe('a limit of its own', () => {
  it('holds for that tenant at once, and null gives the configured one back', async () => {
    const { tenantId } = await service.newTenant();
    const change = (limits: object) => call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits } });
    expect((await change({ burst: 5, rate_per_s: 1 })).body.limits).toEqual({ burst: 5, rate_per_s: 1 });
    expect(await burst(tenantId, 10)).toBe(5);
    expect((await change({ burst: null, backlog: 3 })).body.limits).toEqual({ rate_per_s: 1, backlog: 3 });
    expect((await change({ rate_per_s: 0 })).status).toBe(400);
    expect((await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: {} })).status).toBe(400);
  });

  it('on the backlog refuses what would wait too long', async () => {
    const { tenantId } = await service.newTenant();
    await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits: { backlog: 3 } } });
    expect(await burst(tenantId, 10)).toBe(3);
    const refused = await post(tenantId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.body.detail).toContain('wait to be processed');
  });
});

it('REQUIRE_TENANT_KEY makes the key compulsory', async () => {
  const strict = await startTestService({ settings: { REQUIRE_TENANT_KEY: 'true' } });
  const { tenantId, key } = await strict.newTenant();
  const body = { scope_id: 's', name: 'n', text: 't' };
  expect((await strict.call('POST', '/api/ingest', { tenantId, body })).status).toBe(400);
  expect((await strict.call('POST', '/api/ingest', { tenantId, tenantKey: key, body })).status).toBe(202);
});
