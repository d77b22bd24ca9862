import { describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
let scopes = 0;
const newScope = () => `scope-${scopes++}`;
const store = (body: object) => call('POST', '/api/documents', { tenantId: tenant.tenantId, body });
const attach = (scopeId: string, body: object) =>
  call('POST', `/admin/scopes/${scopeId}/documents`, { key: admin, tenantKey: tenant.key, body });
const read = (scopeId: string, id: string, tenantKey = tenant.key) =>
  call('GET', `/api/documents/${encodeURIComponent(id)}?scope_id=${scopeId}`, { tenantKey });

describe('201', () => {
  it('stores a document as pending on both routes, with its provenance, and makes the scope', async () => {
    const scope_id = newScope();
    const body = { name: 'n', text: 't', provenance: 'sha256:abc', document_id: 'd' };
    expect(await store({ ...body, scope_id })).toMatchObject({
      status: 201,
      body: { scope_id, document_id: 'd', version: 1, seq: 0, state: 'pending' },
    });
    expect(await attach(newScope(), body)).toMatchObject({
      status: 201,
      body: { document_id: 'd', version: 1, seq: 0 },
    });
    expect((await read(scope_id, 'd')).body).toMatchObject({
      provenance: 'sha256:abc',
      state: 'pending',
      attempts: 0,
      queued_at: null,
    });
  });

  it('stores a register entry without text on /api/documents only', async () => {
    const scope_id = newScope();
    expect((await store({ scope_id, name: 'entry' })).status).toBe(201);
    expect((await attach(scope_id, { name: 'entry' })).status).toBe(400);
  });

  it('takes provenance for content: another provenance is another version', async () => {
    const scope_id = newScope();
    const body = { scope_id, name: 'n', document_id: 'd', provenance: 'one' };
    expect((await store(body)).body.version).toBe(1);
    expect((await store(body)).body.version).toBe(1);
    expect((await store({ ...body, provenance: 'two' })).body).toMatchObject({ version: 2, seq: 1 });
  });

  it('replays an idempotency key with status and body', async () => {
    const body = { scope_id: newScope(), name: 'n', idempotency_key: 'k' };
    const first = await store(body);
    const second = await store(body);
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
  });
});

describe('200', () => {
  it('reads the newest version back by an id of any form', async () => {
    const scope_id = newScope();
    for (const document_id of ['plain', 'a/b', '%', '🙂'.repeat(200), 'a?b#c']) {
      await store({ scope_id, name: 'first', document_id });
      await store({ scope_id, name: 'second', document_id });
      expect(await read(scope_id, document_id), document_id).toMatchObject({
        status: 200,
        body: { document_id, name: 'second', version: 2, scope_id },
      });
    }
  });

  it('lists in order of seq, by state, page by page', async () => {
    const scope_id = newScope();
    for (let i = 0; i < 5; i++) await store({ scope_id, name: `n${i}` });
    for (let i = 0; i < 5; i++)
      await call('POST', '/api/ingest', { tenantId: tenant.tenantId, body: { scope_id, name: `q${i}`, text: 't' } });
    const list = async (query: string) => {
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/admin/scopes/${scope_id}/documents?limit=2${query}${cursor && `&cursor=${cursor}`}`;
        const { body } = await call('GET', path, { key: admin, tenantKey: tenant.key });
        names.push(...body.documents.map((document: { name: string }) => document.name));
        cursor = body.next_cursor;
      }
      return names;
    };
    expect(await list('')).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'q0', 'q1', 'q2', 'q3', 'q4']);
    expect(await list('&state=queued')).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
    expect(await list('&state=failed')).toEqual([]);
  });
});

describe('204', () => {
  it('erases every version and its text, and counts it off', async () => {
    const scope_id = newScope();
    await store({ scope_id, name: 'n', document_id: 'd', text: 'secret words one' });
    await store({ scope_id, name: 'n', document_id: 'd', text: 'secret words two' });
    await store({ scope_id, name: 'n', document_id: 'stays', text: 't' });
    expect((await call('DELETE', `/api/documents/d?scope_id=${scope_id}`, { tenantKey: tenant.key })).status).toBe(204);
    expect((await read(scope_id, 'd')).status).toBe(404);
    expect((await read(scope_id, 'stays')).status).toBe(200);
    const { rows } = await service.db.query(
      `select pending::int, next_seq::int, (select count(*)::int from document_contents where text like 'secret%') as texts
         from scopes where scope_id = $1`,
      [scope_id],
    );
    expect(rows).toEqual([{ pending: 1, next_seq: 3, texts: 0 }]);
    expect((await store({ scope_id, name: 'n', document_id: 'd' })).body).toMatchObject({ version: 1, seq: 3 });
  });

  it('deletes a scope at once; what it held is purged in pieces, and the name begins anew', async () => {
    const scope_id = newScope();
    for (let i = 0; i < 3; i++)
      await store({ scope_id, name: 'n', document_id: `d${i}`, text: 'purge me', idempotency_key: `purge ${i}` });
    const path = `/admin/scopes/${scope_id}`;
    expect((await call('DELETE', path, { key: admin, tenantKey: tenant.key })).status).toBe(204);
    expect((await read(scope_id, 'd0')).status).toBe(404);
    expect((await call('DELETE', path, { key: admin, tenantKey: tenant.key })).status).toBe(404);
    expect((await store({ scope_id, name: 'n', document_id: 'd0' })).body).toMatchObject({ version: 1, seq: 0 });
  });
});

describe('404', () => {
  it('for what does not exist, and in the same words for what is another tenant’s', async () => {
    const scope_id = newScope();
    await store({ scope_id, name: 'n', document_id: 'd' });
    const foreign = await read(scope_id, 'd', other.key);
    expect(foreign).toMatchObject({ status: 404, body: { detail: `Scope ${scope_id} does not exist` } });
    expect((await read('never-made', 'd')).body.detail).toBe('Scope never-made does not exist');
    expect((await read(scope_id, 'nothing')).status).toBe(404);
    const call404 = (method: string, path: string) => call(method, path, { key: admin, tenantKey: other.key });
    expect((await call404('DELETE', `/api/documents/d?scope_id=${scope_id}`)).status).toBe(404);
    expect((await call404('GET', `/admin/scopes/${scope_id}/documents`)).status).toBe(404);
    expect((await call404('DELETE', `/admin/scopes/${scope_id}`)).status).toBe(404);
    expect((await read(scope_id, 'd')).status).toBe(200);
  });
});

describe('400', () => {
  it.each([['state=done'], ['cursor=abc'], ['limit=0'], ['order=asc']])('for the list with ?%s', async (query) => {
    const scope_id = newScope();
    await store({ scope_id, name: 'n' });
    expect(
      (await call('GET', `/admin/scopes/${scope_id}/documents?${query}`, { key: admin, tenantKey: tenant.key })).status,
    ).toBe(400);
  });

  it('for a read without a scope', async () => {
    expect((await call('GET', '/api/documents/d', { tenantKey: tenant.key })).body.errors).toEqual([
      { path: 'query/scope_id', message: 'is required' },
    ]);
  });
});
