import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin, internals } = service;

describe('201', () => {
  it('creates a tenant whose first key works', async () => {
    const { status, body } = await call('POST', '/admin/tenants', { key: admin, body: { name: 'Acme' } });
    expect(status).toBe(201);
    expect(body.tenant_id).toMatch(/^ten_[0-9a-z]{26}$/);
    expect(body.api_key.startsWith(`${body.key_prefix}_`)).toBe(true);
    const scopes = await call('GET', '/admin/scopes', { key: admin, tenantKey: body.api_key });
    expect(scopes.body).toEqual({ scopes: [], next_cursor: null });
  });

  it('takes a name of one character and one of ten thousand, in any script', async () => {
    for (const name of ['x', '東'.repeat(10_000), '🙂']) {
      expect((await call('POST', '/admin/tenants', { key: internals, body: { name } })).status).toBe(201);
    }
  });

  it('stores only a hash of the key', async () => {
    const { body } = await call('POST', '/admin/tenants', { key: admin, body: { name: 'Hash' } });
    const { rows } = await service.db.query<{ row: string }>('select row_to_json(k)::text as row from api_keys k');
    expect(rows.some(({ row }) => row.includes(body.key_prefix))).toBe(true);
    expect(rows.some(({ row }) => row.includes(body.api_key.slice(12)))).toBe(false);
  });
});

describe('200', () => {
  it('lists every tenant once, page by page, in order of creation', async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.push((await service.newTenant(`page ${i}`)).tenantId);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/admin/tenants?limit=2${cursor && `&cursor=${cursor}`}`, { key: admin });
      expect(body.tenants.length).toBeLessThanOrEqual(2);
      seen.push(...body.tenants.map((tenant: { tenant_id: string }) => tenant.tenant_id));
      cursor = body.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-5)).toEqual(made);
  });

  it('renames a tenant and reads it back', async () => {
    const { tenantId } = await service.newTenant('Before');
    const changed = await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { name: 'After' } });
    expect(changed).toMatchObject({ status: 200, body: { tenant_id: tenantId, name: 'After' } });
    expect((await call('GET', `/admin/tenants/${tenantId}`, { key: admin })).body).toEqual(changed.body);
  });
});

describe('204', () => {
  it('deletes a tenant with its scopes, and its key stops working', async () => {
    const { tenantId, key } = await service.newTenant();
    await call('POST', '/admin/scopes', { key: admin, tenantKey: key, body: { scope_id: 'gone' } });
    const { status, body } = await call('DELETE', `/admin/tenants/${tenantId}`, { key: admin });
    expect([status, body]).toEqual([204, '']);
    expect((await call('GET', '/admin/scopes', { key: admin, tenantKey: key })).status).toBe(401);
    await expect
      .poll(async () => (await service.db.query('select from tenants where tenant_id = $1', [tenantId])).rowCount)
      .toBe(0);
    expect((await service.db.query('select from scopes where tenant_id = $1', [tenantId])).rowCount).toBe(0);
  });
});

describe('400', () => {
  it.each([
    [{}, 'body/name', 'is required'],
    [{ name: '' }, 'body/name', 'must NOT have fewer than 1 characters'],
    [{ name: 12345 }, 'body/name', 'must be string'],
    [{ name: null }, 'body/name', 'must be string'],
    [{ name: 'x', extra: 1 }, 'body/extra', 'is not a known property'],
    ['{"name": "x", "__proto__": {"name": "y"}}', 'body/__proto__', 'is not a known property'],
    [[], 'body', 'must be a JSON object'],
    ['"text"', 'body', 'must be a JSON object'],
    [undefined, 'body', 'must be a JSON object'],
    ['{"name": "a\\u0000b"}', 'body/name', 'must not contain U+0000 or half of a surrogate pair'],
    ['{"name": "\\ud83d"}', 'body/name', 'must not contain U+0000 or half of a surrogate pair'],
    ['{"name": "x", "\\u0000": 1}', 'body', 'must not contain U+0000 or half of a surrogate pair'],
  ])('%j names %s', async (body, path, message) => {
    const answer = await call('POST', '/admin/tenants', { key: admin, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path, message }] } });
    expect(answer.body.detail).toBe(`${path} ${message}`);
  });

  it('names every mistake at once', async () => {
    const { body } = await call('POST', '/admin/tenants', { key: admin, body: { nam: 'x', other: 1 } });
    expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'body/nam',
      'body/name',
      'body/other',
    ]);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1e400',
    'limit=',
    'limit=1&limit=2',
    'cursor=%21',
    'cursor=eA',
    'colour=red',
  ])('refuses the list with ?%s', async (query) => {
    expect((await call('GET', `/admin/tenants?${query}`, { key: admin })).status).toBe(400);
  });
});

describe('404', () => {
  it.each([['GET'], ['PATCH'], ['DELETE']])('%s of a tenant that does not exist', async (method) => {
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    const answer = await call(method, '/admin/tenants/ten_nobody', { key: admin, body });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'Tenant ten_nobody does not exist' },
    });
  });
});
