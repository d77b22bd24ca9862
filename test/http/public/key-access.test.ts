/** What a key that may not do everything is told, and what its tenant's id is still good for. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;

interface Wishes {
  permissions?: string[];
  scope_ids?: string[];
  expires_at?: string;
}

async function issue(tenantId: string, body: Wishes): Promise<{ key: string; prefix: string }> {
  const { body: issued } = await call('POST', `/admin/tenants/${tenantId}/keys`, { key: admin, body });
  return { key: issued.api_key, prefix: issued.key_prefix };
}

const document = (scope_id: string, more: object = {}) => ({ scope_id, name: 'n', text: 't', ...more });
const claims = (scope_id: string) => ({ scope_id, claim_a: 'It is 3.', claim_b: 'It is 4.' });
const postings: [path: string, body: (scope: string) => object, status: number][] = [
  ['/api/ingest', (scope) => document(scope), 202],
  ['/api/ingest/batch', (scope) => ({ documents: [document(scope)] }), 202],
  ['/api/documents', (scope) => document(scope), 201],
  ['/api/contradictions', claims, 201],
];

describe('the id of a tenant alone', () => {
  it.each(postings)(
    '%s: posts until a key may do less than everything, and again when none does',
    async (path, body, ok) => {
      const { tenantId, key } = await service.newTenant();
      let n = 0;
      const post = (tenantKey?: string) =>
        call('POST', path, { tenantId, body: body(`s-${n++}`), ...(tenantKey && { tenantKey }) });
      expect((await post()).status).toBe(ok);
      await issue(tenantId, {});
      await issue(tenantId, { permissions: ['decide', 'delete', 'read', 'ingest'] });
      expect((await post()).status).toBe(ok);

      const { key: narrow, prefix } = await issue(tenantId, { permissions: ['ingest', 'read'] });
      const refused = await post();
      expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(refused.body.detail).toContain('send X-Tenant-API-Key');
      expect([(await post(key)).status, (await post(narrow)).status]).toEqual([ok, ok]);

      await call('DELETE', `/admin/tenants/${tenantId}/keys/${prefix}`, { key: admin });
      expect((await post()).status).toBe(ok);
    },
  );

  it('is refused on other nodes a moment later, and until the key expires', async () => {
    const other = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    const { tenantId } = await service.newTenant();
    const post = async () => (await other.call('POST', '/api/ingest', { tenantId, body: document('s') })).status;
    expect(await post()).toBe(202);
    await issue(tenantId, { scope_ids: ['s'], expires_at: new Date(Date.now() + 6000).toISOString() });
    await expect.poll(post, { interval: 100 }).toBe(401);
    await expect.poll(post, { interval: 100 }).toBe(202);
  });

  it('is refused before a document is charged or read', async () => {
    const { tenantId } = await service.newTenant();
    await call('PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { limits: { rate_per_s: 1, burst: 1 } } });
    const { key } = await issue(tenantId, { permissions: ['ingest'] });
    for (let n = 0; n < 5; n++)
      expect((await call('POST', '/api/ingest', { tenantId, body: '{ not json' })).status).toBe(401);
    expect((await call('POST', '/api/ingest', { tenantId, tenantKey: key, body: document('s') })).status).toBe(202);
  });
});

describe('a key that may not read', () => {
  it('is told no more than it sent of what is there already', async () => {
    const { tenantId, key } = await service.newTenant();
    const { key: narrow } = await issue(tenantId, { permissions: ['ingest'] });
    const body = document('s', { document_id: 'd' });
    await call('POST', '/api/ingest', { tenantId, tenantKey: key, body });
    const store = async (tenantKey: string) =>
      (await call('POST', '/api/documents', { tenantId, tenantKey, body })).body.state;
    expect([await store(key), await store(narrow)]).toEqual(['queued', 'pending']);

    const first = await call('POST', '/api/contradictions', { tenantId, tenantKey: key, body: claims('s') });
    const decision = { status: 'resolved', resolution: 'hush', resolved_by: 'me' };
    await call('PATCH', `/api/contradictions/${first.body.id}`, { tenantKey: key, body: decision });
    const report = (tenantKey: string) =>
      call('POST', '/api/contradictions', { tenantId, tenantKey, body: claims('s') });
    expect((await report(key)).body).toMatchObject({ status: 'resolved', resolution: 'hush' });
    expect((await report(narrow)).body).toMatchObject({ id: first.body.id, status: 'open', resolution: null });
  });
});

describe('a key that is limited to scopes', () => {
  async function limited() {
    const { tenantId, key } = await service.newTenant();
    for (const scope of ['a', 'b', 'c'])
      await call('POST', '/api/ingest', { tenantId, body: document(scope, { document_id: 'same', text: scope }) });
    return { tenantId, key, narrow: (await issue(tenantId, { scope_ids: ['a', 'c', 'new'] })).key };
  }

  it('lists its own, page by page, also with a cursor of another key', async () => {
    const { key, narrow } = await limited();
    const list = async (tenantKey: string, query: string) => {
      const { body } = await call('GET', `/api/scopes?${query}`, { tenantKey });
      return { ids: body.scopes.map(({ scope_id }: { scope_id: string }) => scope_id), next: body.next_cursor };
    };
    const first = await list(narrow, 'limit=1');
    expect(first.ids).toEqual(['a']);
    expect(await list(narrow, `limit=1&cursor=${first.next}`)).toEqual({ ids: ['c'], next: null });
    const { next } = await list(key, 'limit=2');
    expect(await list(narrow, `limit=2&cursor=${next}`)).toEqual({ ids: ['c'], next: null });
    expect((await list(key, 'limit=50')).ids).toEqual(['a', 'b', 'c']);
  });

  it('reads the document of its own scope, though others have the same id', async () => {
    const { narrow } = await limited();
    const read = (scope: string) => call('GET', `/api/documents/same/text?scope_id=${scope}`, { tenantKey: narrow });
    expect((await read('a')).body).toMatchObject({ text: 'a' });
    expect([(await read('b')).status, (await read('new')).status]).toEqual([404, 404]);
    expect((await read('b')).body.detail).toBe('Scope b does not exist');
  });

  it('is not fooled by how a scope is written', async () => {
    const { narrow } = await limited();
    const status = async (path: string) => (await call('GET', path, { tenantKey: narrow })).status;
    expect(await status('/api/scopes/%61/summary')).toBe(200);
    expect(await status('/api/scopes/%62/summary')).toBe(404);
    expect(await status('/api/scopes/A/summary')).toBe(400);
    expect(await status('/api/scopes/a%2F..%2Fb/summary')).toBe(400);
    expect(await status('/api/scopes/a/../b/summary')).toBe(404);
    expect(await status('/api/contradictions?scope_id=a&scope_id=b')).toBe(400);
    expect(await status('/api/contradictions?scope_id=%62')).toBe(404);
  });

  it.each(postings)('%s: posts only there, and makes those that do not exist yet', async (path, body, ok) => {
    const { tenantId, narrow } = await limited();
    const post = (scope: string) => call('POST', path, { tenantId, tenantKey: narrow, body: body(scope) });
    expect((await post('new')).status).toBe(ok);
    for (const scope of ['b', 'nowhere']) {
      const { status, body: answer } = await post(scope);
      const problem = answer.code === 'batch_rejected' ? answer.results[0].error : answer;
      expect([status, problem.status, problem.code]).toEqual([path.endsWith('batch') ? 400 : 404, 404, 'not_found']);
      expect(problem.detail).toContain('use another key');
    }
    const { rows } = await service.db.query(`select from scopes where tenant_id = $1 and scope_id = 'nowhere'`, [
      tenantId,
    ]);
    expect(rows).toEqual([]);
  });

  it('has a result for each document of a batch', async () => {
    const { tenantId, narrow } = await limited();
    const documents = ['a', 'b', 'c'].map((scope) => document(scope));
    const { status, body } = await call('POST', '/api/ingest/batch', {
      tenantId,
      tenantKey: narrow,
      body: { documents },
    });
    expect([status, body.accepted, body.rejected]).toEqual([202, 2, 1]);
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([202, 404, 202]);
  });

  it('is not told what an idempotency key has made in a scope that it does not reach', async () => {
    const { tenantId, key, narrow } = await limited();
    const post = (tenantKey: string, scope: string) =>
      call('POST', '/api/ingest', { tenantId, tenantKey, body: document(scope, { idempotency_key: 'once' }) });
    expect((await post(key, 'b')).status).toBe(202);
    const [told, untold] = [await post(key, 'a'), await post(narrow, 'a')];
    expect([told.status, untold.status]).toEqual([422, 422]);
    expect(told.body.detail).toContain('in scope b');
    expect(untold.body.detail).not.toMatch(/scope|document/);
  });

  it('does nothing to the whole tenant', async () => {
    const { narrow } = await limited();
    const options = { key: service.internals, tenantKey: narrow };
    for (const path of ['/admin/runtime/pause', '/internals/kernel/runtime/pause', '/admin/scopes']) {
      const { status, body } = await call('POST', path, { ...options, body: {} });
      expect([status, body.detail]).toEqual([403, expect.stringContaining('limited to certain scopes')]);
      expect((await call('POST', path, options)).status).toBe(403);
    }
    expect((await call('POST', '/admin/runtime/pause', { ...options, body: { scope_id: 'a' } })).status).toBe(200);
    expect((await call('POST', '/admin/scopes', { ...options, body: { scope_id: 'new' } })).status).toBe(201);
  });
});
