import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const keysOf = (tenantId: string) => `/admin/tenants/${tenantId}/keys`;
const worksAs = async (tenantKey: string) =>
  (await call('GET', '/admin/scopes', { key: admin, tenantKey })).status === 200;

describe('rotation', () => {
  it('issues a second key, revokes the first, and only the second works', async () => {
    const { tenantId, key: first } = await service.newTenant();
    const issued = await call('POST', keysOf(tenantId), { key: admin, body: { label: 'second' } });
    expect(issued.status).toBe(201);
    const second = issued.body.api_key;
    expect([await worksAs(first), await worksAs(second)]).toEqual([true, true]);

    const prefix = first.slice(0, 11);
    expect((await call('DELETE', `${keysOf(tenantId)}/${prefix}`, { key: admin })).status).toBe(204);
    expect([await worksAs(first), await worksAs(second)]).toEqual([false, true]);

    const { body } = await call('GET', keysOf(tenantId), { key: admin });
    expect(
      body.keys.map((key: { label: string; revoked_at: string | null }) => [key.label, key.revoked_at !== null]),
    ).toEqual([
      ['first key', true],
      ['second', false],
    ]);
    expect(JSON.stringify(body)).not.toContain(second.slice(12));
  });

  it('revokes twice without complaint, and keeps the first date', async () => {
    const { tenantId, key } = await service.newTenant();
    const path = `${keysOf(tenantId)}/${key.slice(0, 11)}`;
    await call('DELETE', path, { key: admin });
    const before = (await call('GET', keysOf(tenantId), { key: admin })).body.keys[0].revoked_at;
    expect((await call('DELETE', path, { key: admin })).status).toBe(204);
    expect((await call('GET', keysOf(tenantId), { key: admin })).body.keys[0].revoked_at).toBe(before);
  });
});

describe('201', () => {
  it('issues a key that expires', async () => {
    const { tenantId } = await service.newTenant();
    const expires_at = new Date(Date.now() + 5000).toISOString();
    const { body } = await call('POST', keysOf(tenantId), { key: admin, body: { expires_at } });
    expect(body.expires_at).toBe(expires_at);
    expect(await worksAs(body.api_key)).toBe(true);
    await expect.poll(() => worksAs(body.api_key), { interval: 100 }).toBe(false);
  });
});

describe('400', () => {
  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'body/expires_at'],
    [{ expires_at: '9999-12-31T23:59:59-12:00' }, 'body/expires_at'],
    [{ expires_at: '2099-01-01\u00a000:00:00Z' }, 'body/expires_at'],
    [{ expires_at: '2099-02-30T00:00:00Z' }, 'body/expires_at'],
    [{ expires_at: '2098-12-31T23:59:60Z' }, 'body/expires_at'],
    [{ expires_at: 'tomorrow' }, 'body/expires_at'],
    [{ label: '' }, 'body/label'],
    [{ label: 'x'.repeat(201) }, 'body/label'],
    [{ tier: 'admin' }, 'body/tier'],
  ])('%j', async (body, path) => {
    const { tenantId } = await service.newTenant();
    const answer = await call('POST', keysOf(tenantId), { key: admin, body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

describe('404', () => {
  it('for the keys of nobody', async () => {
    expect((await call('GET', keysOf('ten_nobody'), { key: admin })).status).toBe(404);
    expect((await call('POST', keysOf('ten_nobody'), { key: admin, body: {} })).status).toBe(404);
  });

  it('for a key of another tenant or of an operator, which stay valid', async () => {
    const { tenantId } = await service.newTenant();
    const other = await service.newTenant();
    for (const key of [other.key, admin]) {
      expect((await call('DELETE', `${keysOf(tenantId)}/${key.slice(0, 11)}`, { key: admin })).status).toBe(404);
    }
    expect(await worksAs(other.key)).toBe(true);
  });
});
