/** What is paused or stopped, over HTTP: an operator finds out what, by whom and why, and what it holds back. */
import { afterEach, describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { issueKey } from '../../../src/domain/keys.ts';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const BOOTSTRAP = 'b'.repeat(40);
const settings = { ADMIN_API_KEYS: `${'a'.repeat(40)},${BOOTSTRAP}` };
const service = withVerbs(await startTestService({ settings }));
const { call, admin, db } = service;
const onCall = await issueKey(db, 'admin', { label: 'on call' }, BY_COMMAND_LINE);

const levels = async (query = '') => (await call('GET', `/admin/runtime${query}`, { key: admin })).body.levels;
const act = (action: string, body: object, key = onCall.key) => call('POST', `/admin/runtime/${action}`, { key, body });
const recordOf = async (tenantId: string) => (await call('GET', `/admin/tenants/${tenantId}`, { key: admin })).body;

afterEach(async () => {
  for (const { tenant_id, scope_id } of await levels())
    await act('start', { ...(tenant_id && { tenant_id }), ...(scope_id && { scope_id }) });
});

describe('200', () => {
  it('tells that a tenant is paused, by whom, when and why, and what waits for it', async () => {
    const tenant = await service.newTenant();
    const tenant_id = tenant.tenantId;
    for (const scope of ['a', 'a', 'b']) await service.ingest(tenant, scope, 'It is 3.');
    expect(await levels()).toEqual([]);
    const before = new Date().toISOString();
    await act('pause', { tenant_id, reason: 'They sent their mail archive twice.' });

    const [level, ...others] = await levels();
    expect(others).toEqual([]);
    expect(level).toEqual({
      level: 'tenant',
      tenant_id,
      scope_id: null,
      state: 'paused',
      set_by: { kind: 'operator', key_prefix: onCall.record.key_prefix, label: 'on call' },
      set_at: expect.any(String),
      reason: 'They sent their mail archive twice.',
      holds: { documents: 3, lanes: 2, oldest_age_ms: expect.any(Number) },
    });
    expect(level.set_at >= before).toBe(true);
    expect(await recordOf(tenant_id)).toMatchObject({ tenant_id, state: 'paused' });
    const { tenants } = (await call('GET', '/admin/tenants?limit=200', { key: admin })).body;
    expect(tenants.find((one: { tenant_id: string }) => one.tenant_id === tenant_id)).toMatchObject({
      state: 'paused',
    });

    await act('resume', { tenant_id });
    expect(await levels()).toEqual([]);
    expect(await recordOf(tenant_id)).toMatchObject({ state: 'running' });
    await call('DELETE', `/admin/tenants/${tenant_id}`, { key: admin });
  });

  it('lists the whole runtime first, then tenants, each before its scopes, page by page', async () => {
    const tenants = [await service.newTenant(), await service.newTenant()].map(({ tenantId }) => tenantId).sort();
    const [one, two] = tenants as [string, string];
    for (const scope_id of ['b', 'a-1', 'a']) {
      await service.ingest({ tenantId: two, key: '' }, scope_id, 'It is 3.');
      await act('stop', { tenant_id: two, scope_id }, BOOTSTRAP);
    }
    await act('pause', { tenant_id: two });
    await act('pause', { tenant_id: one }, BOOTSTRAP);
    await act('pause', { reason: 'An upgrade.' }, BOOTSTRAP);
    const expected = [
      [
        'runtime',
        null,
        null,
        'paused',
        { kind: 'bootstrap', key_prefix: null, label: 'ADMIN_API_KEYS 2' },
        'An upgrade.',
        3,
      ],
      ['tenant', one, null, 'paused', { kind: 'bootstrap', key_prefix: null, label: 'ADMIN_API_KEYS 2' }, null, 0],
      ['tenant', two, null, 'paused', { kind: 'operator', label: 'on call' }, null, 3],
      ...['a', 'a-1', 'b'].map((scope) => ['scope', two, scope, 'stopped', { kind: 'bootstrap' }, null, 1]),
    ];
    for (const limit of [1, 2, 4, 200]) {
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await call('GET', `/admin/runtime?limit=${limit}${cursor && `&cursor=${cursor}`}`, {
          key: admin,
        });
        expect(body.levels.length).toBeLessThanOrEqual(limit);
        for (const { level, tenant_id, scope_id, state, set_by, reason, holds } of body.levels)
          seen.push([level, tenant_id, scope_id, state, set_by, reason, holds.documents]);
        cursor = body.next_cursor;
      }
      expect(seen, `${limit} at a time`).toMatchObject(expected);
    }
    const ofTwo = await levels(`?tenant_id=${two}`);
    expect(ofTwo.map(({ level }: { level: string }) => level)).toEqual(['tenant', 'scope', 'scope', 'scope']);
    expect(await levels(`?tenant_id=${one}&limit=1`)).toMatchObject([{ tenant_id: one, level: 'tenant' }]);
    expect(await levels('?tenant_id=ten_nobody')).toEqual([]);
  });

  it('keeps the longest reason whole, the first one when it is paused again, and none while it runs', async () => {
    const { tenantId: tenant_id } = await service.newTenant();
    const reason = '🙂'.repeat(500);
    await act('pause', { tenant_id, reason });
    await act('pause', { tenant_id, reason: 'Another.' });
    expect(await levels()).toMatchObject([{ reason }]);
    expect((await act('stop', { tenant_id, reason: `${reason}!` })).status).toBe(400);
    await act('start', { tenant_id, reason: 'All is well.' });
    const { rows } = await db.query('select state_reason from tenants where tenant_id = $1', [tenant_id]);
    expect(rows).toEqual([{ state_reason: null }]);
  });

  it('gives no reason for what release 1 has set, and says who it was', async () => {
    const { tenantId: tenant_id } = await service.newTenant();
    await act('pause', { tenant_id, reason: 'Of an earlier pause.' });
    const setBy = (by: string | null) =>
      db.query("update tenants set state = 'stopped', state_set_by = $2, state_set_at = now() where tenant_id = $1", [
        tenant_id,
        by,
      ]);
    await setBy(onCall.record.key_prefix);
    expect(await levels()).toMatchObject([{ state: 'stopped', set_by: { label: 'on call' }, reason: null }]);
    await setBy('a bootstrap key');
    expect(await levels()).toMatchObject([
      { set_by: { kind: 'bootstrap', key_prefix: null, label: 'a bootstrap key' }, reason: null },
    ]);
    await setBy(null);
    expect(await levels()).toMatchObject([{ set_by: null, reason: null }]);
  });

  it('says who it was after that key was revoked, and shows nothing of what is deleted', async () => {
    const [one, two] = [await service.newTenant(), await service.newTenant()];
    const { key, record } = await issueKey(db, 'internals', { label: 'on leave' }, BY_COMMAND_LINE);
    for (const { tenantId: tenant_id } of [one, two]) await act('pause', { tenant_id }, key);
    await service.ingest(one, 'scope', 'It is 3.');
    await act('pause', { tenant_id: one.tenantId, scope_id: 'scope' }, key);
    await db.query('update api_keys set revoked_at = now() where key_prefix = $1', [record.key_prefix]);
    const set_by = { kind: 'operator', key_prefix: record.key_prefix, label: 'on leave' };
    expect(await levels(`?tenant_id=${one.tenantId}`)).toMatchObject([{ set_by }, { set_by, scope_id: 'scope' }]);
    await call('DELETE', '/admin/scopes/scope', { key: admin, tenantKey: one.key });
    await call('DELETE', `/admin/tenants/${two.tenantId}`, { key: admin });
    expect(await levels()).toMatchObject([{ tenant_id: one.tenantId, level: 'tenant' }]);
  });
});

describe('400', () => {
  it.each([
    ['?limit=0', 'query/limit'],
    ['?tenant_id=', 'query/tenant_id'],
    ['?scope_id=a', 'query/scope_id'],
    ['?cursor=nonsense', 'query/cursor'],
    [`?cursor=${encodeCursor('tenants', '0')}`, 'query/cursor'],
    [`?cursor=${encodeCursor('runtime', '0')}`, 'query/cursor'],
    [`?cursor=${encodeCursor('runtime', 'a\u0000/b')}`, 'query/cursor'],
    [`?cursor=${encodeCursor('runtime', 'a/b/c')}`, 'query/cursor'],
    [`?cursor=${encodeCursor('runtime', "a'/b")}`, 'query/cursor'],
  ])('refuses %s', async (query, path) => {
    const { status, body } = await call('GET', `/admin/runtime${query}`, { key: admin });
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });
});

describe('401', () => {
  it('refuses who has no key, and the key of a tenant', async () => {
    const { tenantId, key } = await service.newTenant();
    for (const options of [{}, { key }, { tenantKey: key }, { tenantId }])
      expect((await call('GET', `/admin/runtime?tenant_id=${tenantId}`, options)).status).toBe(401);
  });
});
