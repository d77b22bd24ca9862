/** What operators read and decide without a tenant's key, under /admin/tenants/{tenantId}; on two replicas of the service. */
import { describe, expect, it } from 'vitest';
import { lockTable } from '../../support/lock-table.ts';
import { startTestService } from '../../support/service.ts';
import { openStream } from '../../support/stream.ts';
import { until } from '../../support/until.ts';

const service = await startTestService({ settings: { ROLE: 'all', DB_POOL_SIZE: '10' } });
const replica = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
const { call, admin } = service;
const { tenantId, key: tenantKey } = await service.newTenant();
const other = await service.newTenant();
const at = (path: string, tenant = tenantId) => `/admin/tenants/${tenant}/scopes${path}`;
const look = (path: string, from = replica) => from.call('GET', path, { key: admin });

for (const [n, text] of ['Acme Robotics has 1,900 employees.', 'Acme Robotics has 2,310 employees.'].entries())
  await call('POST', '/api/ingest', { tenantId, body: { scope_id: 's', document_id: `d/${n}`, name: 'n', text } });
const report = { scope_id: 's', claim_a: 'a', claim_b: 'b', document_ids: ['d/0'] };
const { body: reported } = await call('POST', '/api/contradictions', { tenantId, body: report });
await call('POST', '/api/ingest', { tenantId: other.tenantId, body: { scope_id: 'theirs', name: 'n', text: 't' } });
await until(
  () => look(at('/s/summary')),
  ({ body }) => body.documents.processed === 2,
);

/** What an operator asks, and where the same is read with the tenant's key. */
const SAME = {
  '': '/api/scopes',
  '/s': '/api/scopes/s',
  '/s/summary': '/api/scopes/s/summary',
  '/s/metrics': '/admin/scopes/s/metrics',
  '/s/documents?limit=1': '/api/scopes/s/documents?limit=1',
  '/s/documents?state=processed': '/api/scopes/s/documents?state=processed',
  '/s/documents/d%2F1': '/api/documents/d%2F1?scope_id=s',
  '/s/documents/d%2F1/text?version=1': '/api/documents/d%2F1/text?scope_id=s&version=1',
  '/s/documents/d%2F1/claims?limit=1': '/api/documents/d%2F1/claims?scope_id=s&limit=1',
  '/s/facts?min_documents=1&limit=2': '/api/scopes/s/facts?min_documents=1&limit=2',
  '/s/contradictions?limit=1&order=newest': '/api/contradictions?scope_id=s&limit=1&order=newest',
  '/s/contradictions?document_id=d%2F0': '/api/contradictions?scope_id=s&document_id=d%2F0',
  [`/s/contradictions/${reported.id}`]: `/api/contradictions/${reported.id}`,
};

/** Without what is different a moment later, and what only operators are shown. */
const withoutTime = ({ window, throughput_per_minute, ...rest }: Record<string, unknown>) => {
  const { versions, next_cursor, ...shared } = rest;
  return versions ? shared : rest;
};

describe('200', () => {
  it.each(Object.entries(SAME))('%s is what the tenant reads, on either replica', async (path, own) => {
    const read = (from: typeof service) => from.call('GET', own, { key: admin, tenantKey });
    for (const one of [service, replica]) {
      const [asked, expected] = [await look(at(path), one), await read(one)];
      expect([asked.status, withoutTime(asked.body)]).toEqual([200, withoutTime(expected.body)]);
    }
  });

  it('reads a text once, and 304 after that', async () => {
    const path = at('/s/documents/d%2F0/text');
    const tag = (await look(path)).headers.get('etag') ?? '';
    expect((await call('GET', path, { key: admin, headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('ignores a tenant key that is sent along, and goes by the path', async () => {
    const { body } = await call('GET', at(''), { key: admin, tenantKey: other.key });
    expect(body.scopes).toMatchObject([{ scope_id: 's' }]);
  });

  it('decides, and streams what is decided elsewhere', async () => {
    const authorization = `Bearer ${admin}`;
    const stream = await openStream(replica.url, at('/s/events'), { authorization, 'x-tenant-api-key': 'dk_none' });
    expect(stream.status).toBe(200);
    const body = { status: 'deferred', resolution: 'Later.', resolved_by: 'on call' };
    const path = at(`/s/contradictions/${reported.id}`);
    expect(await call('PATCH', path, { key: admin, body })).toMatchObject({ status: 200, body });
    const [event] = await stream.got(1);
    expect(event?.data).toMatchObject({ tenant_id: tenantId, type: 'contradiction.deferred' });
    expect((await look(path)).body).toMatchObject(body);
    expect((await call('PATCH', path, { key: admin, body })).status).toBe(409);
    stream.close();
  });
});

describe('401', () => {
  it.each(Object.keys(SAME))('%s, without an operator’s key', async (path) => {
    expect((await call('GET', at(path), { tenantKey })).status).toBe(401);
    expect((await call('GET', at(path), { key: tenantKey, tenantKey })).status).toBe(401);
  });
});

describe('404', () => {
  it.each(Object.keys(SAME))('%s, of a tenant that there is not', async (path) => {
    const { status, body } = await look(at(path, 'ten_nobody'));
    expect([status, body.detail]).toEqual([404, 'Tenant ten_nobody does not exist']);
  });

  it.each(Object.keys(SAME).filter(Boolean))('%s, in a tenant that has no such scope', async (path) => {
    const { status, body } = await look(at(path, other.tenantId));
    expect([status, body.detail]).toEqual([404, 'Scope s does not exist']);
  });

  it('of a stream, and of a tenant that was deleted', async () => {
    const gone = await service.newTenant();
    expect((await look(at('/s/events', gone.tenantId))).status).toBe(404);
    await call('DELETE', `/admin/tenants/${gone.tenantId}`, { key: admin });
    expect((await look(at('', gone.tenantId))).status).toBe(404);
    expect((await look(at('/s/events', gone.tenantId))).status).toBe(404);
  });
});

describe('400', () => {
  it.each(['/s/documents?scope_id=s', '/s/contradictions?scope_id=s', '/S/summary', '/s/documents?limit=0'])(
    '%s',
    async (path) => expect((await look(at(path))).status).toBe(400),
  );
});

it.each([
  ['tenants', () => [`/api/scopes/s/documents`, { 'x-tenant-api-key': tenantKey }] as const],
  ['operators', () => [at('/s/documents'), { authorization: `Bearer ${admin}` }] as const],
])('%s who ask and hang up take the connections of nobody else', async (_who, asked) => {
  const letGo = await lockTable(service.db, 'document_contents');
  const [path, headers] = asked();
  for (let n = 0; n < 30; n++) {
    const leaving = new AbortController();
    const left = fetch(service.url + path, { headers, signal: leaving.signal }).catch(() => 'left');
    setTimeout(() => leaving.abort(), 50);
    expect(await left).toBe('left');
  }
  expect((await call('GET', '/api/scopes', { tenantKey: other.key })).status).toBe(200);
  await letGo();
  expect((await call('GET', '/api/scopes/s/documents', { tenantKey })).status).toBe(200);
});

it('operators who read keep no tenant from reading', async () => {
  const read = () => call('GET', '/api/scopes', { tenantKey });
  expect((await read()).status).toBe(200);
  const letGo = await lockTable(service.db, 'document_contents');
  const waiting = Array.from({ length: 20 }, () => look(at('/s/documents'), service));
  // Each of these is answered while all of those wait.
  for (let n = 0; n < 5; n++) expect((await read()).status).toBe(200);
  expect(await Promise.race([...waiting, 'none is answered'])).toBe('none is answered');
  await letGo();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});
