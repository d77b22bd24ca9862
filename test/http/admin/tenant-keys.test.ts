import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await startTestService();
const { call, admin } = service;
const keysOf = (tenantId: string) => `/admin/tenants/${tenantId}/keys`;
const worksAs = async (tenantKey: string) =>
  (await call('GET', '/admin/scopes', { key: admin, tenantKey })).status === 200;

const list = async (tenantId: string) => (await call('GET', keysOf(tenantId), { key: admin })).body.keys;

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

describe('what a key may do', () => {
  it('is everything unless told otherwise, and is shown', async () => {
    const { tenantId } = await service.newTenant();
    const all = ['ingest', 'read', 'delete', 'decide'];
    const scopes = Array.from({ length: 100 }, (_item, n) => `${n}-`.padEnd(120, 'x'));
    for (const [body, permissions, scope_ids] of [
      [{}, all, null],
      [{ permissions: ['read'] }, ['read'], null],
      [{ scope_ids: ['s'] }, all, ['s']],
      [{ permissions: ['decide', 'ingest'], scope_ids: scopes }, ['decide', 'ingest'], scopes],
    ] as const) {
      const issued = await call('POST', keysOf(tenantId), { key: admin, body });
      expect(issued).toMatchObject({ status: 201, body: { permissions, scope_ids } });
      const { api_key, message, ...shown } = issued.body;
      expect((await list(tenantId)).at(-1)).toEqual(shown);
    }
  });
});

describe('POST …/rotate', () => {
  const rotate = (tenantId: string, prefix: string, body?: object) =>
    call('POST', `${keysOf(tenantId)}/${prefix}/rotate`, { key: admin, ...(body && { body }) });
  const issue = async (tenantId: string, body: object) =>
    (await call('POST', keysOf(tenantId), { key: admin, body })).body;
  const inADay = (date: string) => Math.abs(Date.parse(date) - Date.now() - 86_400_000) < 600_000;

  it('makes a key that may do the same, while the old one works for a day', async () => {
    const { tenantId } = await service.newTenant();
    const expires_at = '2099-01-01T00:00:00.000Z';
    const limits = { label: 'importer', permissions: ['read'], scope_ids: ['a'] };
    const old = await issue(tenantId, { ...limits, expires_at });
    const { status, body } = await rotate(tenantId, old.key_prefix);
    expect([status, body]).toMatchObject([201, { ...limits, expires_at, replaced_by: null }]);
    expect([await worksAs(old.api_key), await worksAs(body.api_key)]).toEqual([true, true]);
    const [, was, is] = await list(tenantId);
    expect([was.replaced_by, is.key_prefix, inADay(was.expires_at)]).toEqual([body.key_prefix, body.key_prefix, true]);

    const { rows } = await service.db.query<{ type: string; payload: object }>(
      `select type, payload from events where tenant_id = $1 order by event_id desc limit 2`,
      [tenantId],
    );
    const key = { key_prefix: old.key_prefix, tier: 'tenant' };
    expect(rows.map(({ type, payload }) => [type, payload])).toEqual([
      ['key.rotated', { ...key, replaced_by: body.key_prefix, expires_at: was.expires_at }],
      ['key.issued', { ...key, key_prefix: body.key_prefix }],
    ]);
  });

  it('ends the old one at once without a grace, and never lets it live longer than it would have', async () => {
    const { tenantId } = await service.newTenant();
    const old = await issue(tenantId, {});
    expect(await worksAs(old.api_key)).toBe(true);
    const { body } = await rotate(tenantId, old.key_prefix, { grace_s: 0 });
    expect([await worksAs(old.api_key), await worksAs(body.api_key)]).toEqual([false, true]);

    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const soon = await issue(tenantId, { expires_at });
    await rotate(tenantId, soon.key_prefix, { grace_s: 30 * 86_400 });
    const { key_prefix } = soon;
    expect((await list(tenantId)).find((key: typeof soon) => key.key_prefix === key_prefix).expires_at).toBe(
      expires_at,
    );
  });

  it('goes once, also when two ask at the same time: 409', async () => {
    const { tenantId } = await service.newTenant();
    const { key_prefix } = await issue(tenantId, {});
    const answers = await Promise.all([rotate(tenantId, key_prefix), rotate(tenantId, key_prefix)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await rotate(tenantId, key_prefix)).body.detail).toContain('was replaced by');
    expect(await list(tenantId)).toHaveLength(3);
  });

  it('of a key that is revoked or has expired is 409', async () => {
    const { tenantId } = await service.newTenant();
    const [revoked, expired] = [await issue(tenantId, {}), await issue(tenantId, {})];
    await call('DELETE', `${keysOf(tenantId)}/${revoked.key_prefix}`, { key: admin });
    await service.db.query('update api_keys set expires_at = now() where key_prefix = $1', [expired.key_prefix]);
    for (const { key_prefix } of [revoked, expired])
      expect(await rotate(tenantId, key_prefix)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it.each([{ grace_s: -1 }, { grace_s: 2_592_001 }, { grace_s: 1.5 }, { grace_s: '1' }, { grace: 1 }])(
    '%j is 400',
    async (body) => {
      const { tenantId, key } = await service.newTenant();
      expect((await rotate(tenantId, key.slice(0, 11), body)).status).toBe(400);
    },
  );

  it('of a key of another tenant or of an operator is 404', async () => {
    const [{ tenantId }, other] = [await service.newTenant(), await service.newTenant()];
    for (const key of [other.key, admin]) expect((await rotate(tenantId, key.slice(0, 11))).status).toBe(404);
    expect((await rotate('ten_nobody', other.key.slice(0, 11))).status).toBe(404);
    expect(await list(tenantId)).toHaveLength(1);
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
    [{ permissions: [] }, 'body/permissions'],
    [{ permissions: ['read', 'read'] }, 'body/permissions'],
    [{ permissions: 'read' }, 'body/permissions'],
    [{ permissions: null }, 'body/permissions'],
    [{ scope_ids: [] }, 'body/scope_ids'],
    [{ scope_ids: ['s', 's'] }, 'body/scope_ids'],
    [{ scope_ids: ['S'] }, 'body/scope_ids/0'],
    [{ scope_ids: null }, 'body/scope_ids'],
    [{ scope_ids: Array.from({ length: 101 }, (_item, n) => `s-${n}`) }, 'body/scope_ids'],
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

it('of a tenant that is removed at the same moment is that of none: the key of the operator is good', async () => {
  const { tenantId } = await service.newTenant();
  let issuing = Promise.resolve<{ status: number; body: { detail: string } } | null>(null);
  await service.db.transaction(async (tx) => {
    await tx.query('delete from tenants where tenant_id = $1', [tenantId]);
    issuing = call('POST', keysOf(tenantId), { key: admin, body: {} });
    await until(
      async () => (await service.db.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount,
      (waiting) => Boolean(waiting),
    );
  });
  expect(await issuing).toMatchObject({ status: 404, body: { detail: expect.stringContaining('tenant') } });
});
