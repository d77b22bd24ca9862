import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
const get = (path: string, tenantKey = tenant.key) => call('GET', path, { tenantKey });
const post = (scope_id: string, more: object = {}) =>
  call('POST', '/api/ingest', { tenantId: tenant.tenantId, body: { scope_id, name: 'n', text: 't', ...more } });

const OTHER = encodeCursor('contradictions', '1');
const STATES = 'pending, queued, processing, processed, failed, superseded';

describe('200', () => {
  it('lists the tenant’s scopes page by page, and reads each of them', async () => {
    for (const scope_id of ['b', 'a', 'c-3']) await post(scope_id);
    const first = await get('/api/scopes?limit=2');
    expect(first.body.scopes).toMatchObject([{ scope_id: 'a', name: 'a', state: 'running' }, { scope_id: 'b' }]);
    const last = await get(`/api/scopes?limit=2&cursor=${first.body.next_cursor}`);
    expect(last.body).toMatchObject({ scopes: [{ scope_id: 'c-3' }], next_cursor: null });
    expect((await get('/api/scopes/b')).body).toEqual(first.body.scopes[1]);
    expect((await get('/api/scopes', other.key)).body).toEqual({ scopes: [], next_cursor: null });
  });

  it('lists the documents of a scope by state, each version by itself', async () => {
    for (const n of [1, 2]) await post('listed', { document_id: 'd', text: `version ${n}` });
    await call('POST', '/api/documents', { tenantId: tenant.tenantId, body: { scope_id: 'listed', name: 'stored' } });
    const queued = await get('/api/scopes/listed/documents?state=queued&limit=1');
    expect(queued.body.documents).toMatchObject([{ document_id: 'd', version: 1, seq: 0 }]);
    const next = await get(`/api/scopes/listed/documents?state=queued&cursor=${queued.body.next_cursor}`);
    expect(next.body).toMatchObject({ documents: [{ version: 2, seq: 1, state: 'queued' }], next_cursor: null });
    expect((await get('/api/scopes/listed/documents?state=pending')).body.documents).toMatchObject([{ seq: 2 }]);
    const asOperator = await call('GET', '/admin/scopes/listed/documents', { key: admin, tenantKey: tenant.key });
    expect((await get('/api/scopes/listed/documents')).body).toEqual(asOperator.body);
  });
});

describe('400', () => {
  it.each([
    ['/api/scopes?cursor=%21', 'query/cursor must be a next_cursor of this list'],
    ['/api/scopes?limit=201', 'query/limit must be <= 200'],
    ['/api/scopes?state=running', 'query/state is not a known property'],
    ['/api/scopes/s/documents?cursor=YQ', 'query/cursor must be a next_cursor of this list'],
    [`/api/scopes/s/documents?cursor=${OTHER}`, 'query/cursor must be a next_cursor of this list'],
    ['/api/scopes/s/documents?state=done', `query/state must be one of: ${STATES}`],
    ['/api/scopes/s/documents?limit=0', 'query/limit must be >= 1'],
    ['/api/scopes/NO', 'params/scopeId must match pattern "^[a-z0-9][a-z0-9-]*$"'],
  ])('%s', async (path, detail) => {
    await post('s');
    expect(await get(path)).toMatchObject({ status: 400, body: { detail } });
  });
});

describe('404', () => {
  it.each(['', '/documents', `/documents?cursor=${encodeCursor('documents', '0')}`])(
    'of a scope of another tenant, as of one that is not there: …%s',
    async (rest) => {
      await post('theirs');
      const [foreign, absent] = [
        await get(`/api/scopes/theirs${rest}`, other.key),
        await get(`/api/scopes/none${rest}`),
      ];
      expect([foreign.status, foreign.body.detail]).toEqual([404, 'Scope theirs does not exist']);
      expect([absent.status, absent.body.detail]).toEqual([404, 'Scope none does not exist']);
    },
  );

  it('of a scope that is deleted between two pages', async () => {
    for (const text of ['one', 'two']) await post('going', { text });
    const { body } = await get('/api/scopes/going/documents?limit=1');
    await call('DELETE', '/admin/scopes/going', { key: admin, tenantKey: tenant.key });
    expect((await get(`/api/scopes/going/documents?limit=1&cursor=${body.next_cursor}`)).status).toBe(404);
  });
});

describe('401', () => {
  it('as soon as the tenant is deleted', async () => {
    const gone = await service.newTenant();
    await call('POST', '/api/ingest', { tenantId: gone.tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
    expect((await get('/api/scopes', gone.key)).body.scopes).toHaveLength(1);
    await call('DELETE', `/admin/tenants/${gone.tenantId}`, { key: admin });
    for (const path of ['/api/scopes', '/api/scopes/s', '/api/scopes/s/documents'])
      expect((await get(path, gone.key)).status).toBe(401);
  });
});

describe('429', () => {
  it('for who reads faster than its limit', async () => {
    const greedy = await service.newTenant();
    const body = { limits: { reads_per_s: 1 } };
    await call('PATCH', `/admin/tenants/${greedy.tenantId}`, { key: admin, body });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await get('/api/scopes', greedy.key)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
