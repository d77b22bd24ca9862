import { describe, expect, it } from 'vitest';
import { addOlderVersions } from '../../support/many-versions.ts';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();
const { call } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
const post = (body: object, path = '/api/ingest') =>
  call('POST', path, { tenantId: tenant.tenantId, body: { scope_id: 's', name: 'n', ...body } });
const read = (id: string, { query = '', tenantKey = tenant.key, headers = {} } = {}) =>
  call('GET', `/api/documents/${encodeURIComponent(id)}/text?scope_id=s${query}`, { tenantKey, headers });

describe('200', () => {
  it('gives back what was sent, whatever it is', async () => {
    const text = '\ufeffA \u2028 line,\r\n"quoted" \\ 🙂 \u0001 </script> e\u0301';
    await post({ document_id: 'a/b?', type: 'md', text });
    expect((await read('a/b?')).body).toEqual({ document_id: 'a/b?', version: 1, type: 'md', text });
  });

  it('gives the newest version, or the one that is asked for', async () => {
    for (const text of ['one', 'two']) await post({ document_id: 'twice', text });
    expect((await read('twice')).body).toMatchObject({ version: 2, text: 'two' });
    expect((await read('twice', { query: '&version=1' })).body).toMatchObject({ version: 1, text: 'one' });
  });

  it('gives null for an entry without text', async () => {
    await post({ document_id: 'entry' }, '/api/documents');
    expect((await read('entry')).body).toEqual({ document_id: 'entry', version: 1, type: 'txt', text: null });
  });
});

describe('304', () => {
  it('for who has it already, until there is another', async () => {
    await post({ document_id: 'kept', text: 'one' });
    const etag = String((await read('kept')).headers.get('etag'));
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await read('kept', { headers: { 'if-none-match': known } });
      expect([again.status, again.headers.get('etag'), again.body]).toEqual([304, etag, '']);
      expect(again.headers.get('cache-control')).toBe('private, no-cache');
    }
    await post({ document_id: 'kept', text: 'two' });
    const newer = await read('kept', { headers: { 'if-none-match': etag } });
    expect([newer.status, newer.body.text, newer.headers.get('etag') === etag]).toEqual([200, 'two', false]);
    expect((await read('kept', { query: '&version=1', headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('not for a document of the same name that came after it was deleted', async () => {
    await post({ document_id: 'again', text: 'one' });
    const etag = String((await read('again')).headers.get('etag'));
    await call('DELETE', '/api/documents/again?scope_id=s', { tenantKey: tenant.key });
    const deleted = await read('again', { headers: { 'if-none-match': etag } });
    expect(deleted.status).toBe(404);
    await post({ document_id: 'again', text: 'other' });
    expect((await read('again', { headers: { 'if-none-match': etag } })).body).toMatchObject({
      version: 1,
      text: 'other',
    });
  });
});

describe('404', () => {
  it('of what is another tenant’s, as of what is not there; and of a version that is not there', async () => {
    await post({ document_id: 'mine', text: 't' });
    const foreign = await read('mine', { tenantKey: other.key, headers: { 'if-none-match': '*' } });
    expect([foreign.status, foreign.body.detail]).toEqual([404, 'Scope s does not exist']);
    expect((await read('none')).body.detail).toBe('Document none in scope s does not exist');
    const version = await read('mine', { query: '&version=2' });
    expect([version.status, version.body.detail]).toEqual([
      404,
      'Version 2 of document mine in scope s does not exist',
    ]);
  });

  it('of every version of a document that is being purged, which is in no list either', async () => {
    const place = { tenantId: tenant.tenantId, scopeId: 'purged', documentId: 'd' };
    await post({ scope_id: 'purged', document_id: 'd', text: 'newest' });
    await addOlderVersions(service.db, place, 1200);
    const path = '/api/documents/d/text?scope_id=purged';
    const status = async (query: string) => (await call('GET', path + query, { tenantKey: tenant.key })).status;
    expect([await status('&version=7'), await status('')]).toEqual([200, 200]);
    // Nobody purges while the row that says so is locked, and so all of them are still there.
    await service.db.transaction(async (tx) => {
      await call('DELETE', '/api/documents/d?scope_id=purged', { tenantKey: tenant.key });
      await tx.query('select from document_purges for update');
      expect([await status('&version=7'), await status('&version=1201'), await status('')]).toEqual([404, 404, 404]);
      for (let cursor = ''; ; ) {
        const list = `/api/scopes/purged/documents?limit=200${cursor}`;
        const { body } = await call('GET', list, { tenantKey: tenant.key });
        expect(body.documents).toEqual([]);
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
    });
  });
});

describe('400', () => {
  it.each([['&version=0'], ['&version=2147483648'], ['&version=one'], ['&seq=1']])('for %s', async (query) => {
    expect((await read('d', { query })).status).toBe(400);
  });
});
