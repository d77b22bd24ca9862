/** Whoever has made something is told where to read it. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, admin } = service;
const { tenantId, key } = await service.newTenant();
const own = { tenantId, tenantKey: key };
const document = { name: 'n', text: 'The lease runs for three years.' };
const claims = { claim_a: 'The lease runs for three years.', claim_b: 'The lease runs for five years.' };

const made: [method: string, path: string, body: object][] = [
  ['POST', '/api/ingest', { scope_id: 'here', document_id: 'a/b?c=ü&d 100%', ...document }],
  ['POST', '/api/ingest', { scope_id: 'here', ...document }],
  ['POST', '/api/documents', { scope_id: 'here', document_id: 'stored', ...document }],
  ['POST', '/admin/scopes/here/documents', { document_id: '🙂', ...document }],
  ['POST', '/api/contradictions', { scope_id: 'here', ...claims }],
  ['POST', '/admin/scopes', { scope_id: 'another' }],
  ['POST', '/admin/scopes', {}],
  ['POST', '/admin/tenants', { name: 'Acme' }],
];

it.each(made)('%s %s of %j', async (method, path, body) => {
  const created = await call(method, path, { key: admin, ...own, body });
  expect([201, 202]).toContain(created.status);
  const location = created.headers.get('location') as string;
  const found = await call('GET', location, { key: admin, tenantKey: key });
  expect([location, found.status]).toEqual([location, 200]);
  for (const name of ['document_id', 'scope_id', 'tenant_id', 'id'])
    if (created.body[name] !== undefined) expect(found.body[name]).toBe(created.body[name]);
});

it('the same again leads to the same', async () => {
  const body = { scope_id: 'here', idempotency_key: 'once', ...document };
  const [first, again] = [
    await call('POST', '/api/ingest', { ...own, body }),
    await call('POST', '/api/ingest', { ...own, body }),
  ];
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
});

describe('the contract', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as the plain JSON that it is.
  const paths = service.app.swagger().paths as any;

  it('says so of everything that is made and can be read by itself', () => {
    const silent = Object.keys(paths).filter((path) => {
      const { 201: created, 202: accepted } = paths[path].post?.responses ?? {};
      return (created ?? accepted) && !(created ?? accepted).headers?.Location;
    });
    // A batch makes many, of keys there is only a list, and of tokens nothing is kept.
    const keys = '/admin/tenants/{tenantId}/keys';
    expect(silent.sort()).toEqual([keys, `${keys}/{prefix}/rotate`, '/api/ingest/batch', '/api/stream-tokens']);
  });

  it('has requests for examples that can be sent one after the other', async () => {
    const keys = new Set<string>();
    for (const template of [
      '/api/ingest',
      '/api/documents',
      '/admin/scopes/{scopeId}/documents',
      '/api/ingest/batch',
    ]) {
      const { example } = paths[template].post.requestBody.content['application/json'];
      const path = template.replace('{scopeId}', 'contracts-2026');
      expect((await call('POST', path, { key: admin, ...own, body: example })).status).toBeLessThan(300);
      keys.add(example.idempotency_key);
    }
    expect(keys.size).toBe(4);
  });
});
