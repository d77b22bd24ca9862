/** All that a scope holds, as its tenant reads it: the whole service, with the real pipeline. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/domain/paging.ts';
import { askExport, readExport } from '../../support/exported.ts';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';

const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const tenant = await service.newTenant();
const other = await service.newTenant();
const get = async (path: string) => (await service.call('GET', path, { tenantKey: tenant.key })).body;
const ALL = 'documents,texts,claims,facts,contradictions';

/** Two that disagree, one that agrees, one without claims, an entry of a register, and a newer version. */
async function fill(scopeId: string): Promise<void> {
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,000 employees.', { document_id: 'old' });
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,900 employees. The office is in Leeds.', {
    ...{ document_id: 'few', source: 'https://example.org/1', name: 'Few “quoted”\u2028\u0085\n\\ {"a":1}' },
  });
  await service.ingest(tenant, scopeId, 'Acme Robotics has 2,310 employees.', { document_id: 'many' });
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,900 employees.', { document_id: 'agrees' });
  await service.ingest(tenant, scopeId, '???', { document_id: 'none' });
  await service.ingest(tenant, scopeId, 'Acme Robotics has 1,900 employees. 😀', { document_id: 'old' });
  const entry = { scope_id: scopeId, name: 'Entry', document_id: 'entry', provenance: 'sha256:9f' };
  await service.call('POST', '/api/documents', { tenantId: tenant.tenantId, body: entry });
  await get(`/api/scopes/${scopeId}/summary?wait=60`);
}
await fill('acme');

describe('200', () => {
  it('has each document once, in its newest version, as the list of documents has it, with its text', async () => {
    const { of, end } = await readExport(service, tenant, 'acme');
    const { documents } = await get('/api/scopes/acme/documents');
    const newest = documents.filter(({ state }: { state: string }) => state !== 'superseded');
    const lines = of('document');
    expect(lines.map(({ document_id }) => document_id)).toEqual(['few', 'many', 'agrees', 'none', 'old', 'entry']);
    const withoutText = lines.map(({ text: _text, kind: _kind, scope_id, ...line }) => {
      expect(scope_id).toBe('acme');
      return line;
    });
    expect(withoutText).toEqual(newest);
    expect(lines.map(({ text }) => text)).toEqual([
      'Acme Robotics has 1,900 employees. The office is in Leeds.',
      'Acme Robotics has 2,310 employees.',
      'Acme Robotics has 1,900 employees.',
      '???',
      'Acme Robotics has 1,900 employees. 😀',
      null,
    ]);
    expect(Object.keys(lines[0])[0]).toBe('kind');
    expect(end).toMatchObject({ changed: false, revision: { start: end.revision.end } });
  });

  it('has the claims of each, as the document shows them, behind the documents', async () => {
    const { of } = await readExport(service, tenant, 'acme');
    for (const document_id of ['few', 'many', 'agrees', 'none', 'old']) {
      const { claims, version } = await get(`/api/documents/${document_id}/claims?scope_id=acme`);
      const lines = of('claim').filter((line) => line.document_id === document_id);
      expect(lines).toEqual(claims.map((claim: object) => ({ kind: 'claim', document_id, version, ...claim })));
    }
    expect(of('claim').some(({ contradictions }) => contradictions.length > 0)).toBe(true);
  });

  it('has the facts of several documents and the contradictions, as their lists have them', async () => {
    const { of } = await readExport(service, tenant, 'acme');
    const { facts } = await get('/api/scopes/acme/facts?order=fact_id');
    expect(of('fact')).toEqual(facts.map((fact: object) => ({ kind: 'fact', ...fact })));
    const { contradictions } = await get('/api/contradictions?scope_id=acme');
    expect(of('contradiction')).toEqual(contradictions.map((one: object) => ({ kind: 'contradiction', ...one })));
    expect([facts.length > 0, contradictions.length > 0]).toEqual([true, true]);
  });

  it('is one line for each, whatever a reader takes for the end of one', async () => {
    const { body } = await askExport(service, tenant, 'acme');
    expect(body.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(body.split('\n').length);
  });

  it.each([
    ['documents', ['document']],
    ['documents,texts', ['document']],
    ['texts', ['document']],
    ['claims', ['claim']],
    ['facts', ['fact']],
    ['contradictions', ['contradiction']],
    [' documents , claims', ['document', 'claim']],
    ['claims,facts,claims', ['claim', 'fact']],
    [ALL, ['document', 'claim', 'fact', 'contradiction']],
  ])('has only what include=%s asks for', async (include, kinds) => {
    const { lines, of } = await readExport(service, tenant, 'acme', `?include=${encodeURIComponent(include)}`);
    expect([...new Set(lines.map(({ kind }) => kind))]).toEqual(kinds);
    for (const line of of('document')) expect('text' in line).toBe(include.includes('texts'));
  });

  it('has the claims of the version that is processed, while a newer one waits', async () => {
    await service.ingest(tenant, 'waits', 'Acme Robotics has 1,900 employees.', { document_id: 'd' });
    await service.processed(tenant, 'waits', 1);
    await service.control('pause', tenant, 'waits');
    await service.ingest(tenant, 'waits', 'Acme Robotics has 2 employees.', { document_id: 'd' });
    const { of } = await readExport(service, tenant, 'waits');
    expect(of('document')).toMatchObject([{ version: 2, state: 'queued', text: 'Acme Robotics has 2 employees.' }]);
    const { claims } = await get('/api/documents/d/claims?scope_id=waits');
    expect(of('claim')).toEqual(
      claims.map((claim: object) => ({ kind: 'claim', document_id: 'd', version: 1, ...claim })),
    );
    expect(claims.length).toBeGreaterThan(0);
  });

  it('is only an end for a scope that has nothing', async () => {
    await service.call('POST', '/admin/scopes', {
      ...{ key: service.admin, tenantKey: tenant.key, body: { scope_id: 'empty' } },
    });
    const { lines, end } = await readExport(service, tenant, 'empty');
    expect([lines, end.changed, end.revision]).toEqual([[], false, { start: 0, end: 0 }]);
  });
});

describe('400', () => {
  const cursor = (place: string) => `?cursor=${encodeCursor('export', place)}`;
  const TAG = '0123456789abcdef';

  it.each([
    '?include=',
    '?include=documents,nonsense',
    '?include=document',
    '?cursor=x',
    '?cursor=',
    `?cursor=${encodeCursor('documents', '1')}`,
    cursor(`${TAG} 31 0 0 0 x 0 0`),
    cursor(`${TAG} 0 0 0 0 d 0 0`),
    cursor(`${TAG} 32 0 0 0 d 0 0`),
    cursor(`${TAG} 31 0 0 0 d -1 0`),
    cursor(`${TAG} 31 0 0 0 d 0`),
    '?limit=10',
  ])('for %s', async (query) => {
    const { status, body } = await askExport(service, tenant, 'acme', query);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('for another include than the export has that the cursor is of', async () => {
    const { scope_key, generation } = await find('acme');
    const tag = hash('sha256', `export ${scope_key} ${generation}`).slice(0, 16);
    const place = encodeCursor('export', `${tag} 1 0 0 0 d 0 0`);
    expect((await askExport(service, tenant, 'acme', `?cursor=${place}&include=documents`)).status).toBe(200);
    const { status, body } = await askExport(service, tenant, 'acme', `?cursor=${place}&include=claims`);
    expect([status, body.errors[0].path]).toEqual([400, 'query/include']);
  });

  async function find(scopeId: string) {
    const { rows } = await service.db.query<{ scope_key: string; generation: number }>(
      'select scope_key, generation from scopes where tenant_id = $1 and scope_id = $2',
      [tenant.tenantId, scopeId],
    );
    return rows[0] as (typeof rows)[0];
  }
});

describe('409', () => {
  it('for a cursor of another scope, of another tenant too', async () => {
    const place = encodeCursor('export', '0123456789abcdef 31 0 0 0 d 0 0');
    const { status, body } = await askExport(service, tenant, 'acme', `?cursor=${place}`);
    expect([status, body.code]).toEqual([409, 'conflict']);
  });
});

describe('404 and 401', () => {
  it('of what is another tenant’s, as of what is not there', async () => {
    const [foreign, absent] = [await askExport(service, other, 'acme'), await askExport(service, other, 'nowhere')];
    expect([foreign.status, foreign.body.detail]).toEqual([404, 'Scope acme does not exist']);
    expect(absent.body.detail).toBe('Scope nowhere does not exist');
  });

  it('without a key that is one', async () => {
    expect((await service.call('GET', '/api/scopes/acme/export')).status).toBe(400);
    expect((await service.call('GET', '/api/scopes/acme/export', { tenantKey: 'dk_none' })).status).toBe(401);
  });
});
