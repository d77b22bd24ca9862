/** A deleted tenant is gone at once, everywhere, though its rows go in pieces: one of its scopes is held here, so that they stay. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { newHeld, startTestKernel, type Tenant, type TestKernel } from '../../support/kernel.ts';
import { later } from '../../support/later.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const kernel = await startTestKernel({ settings: () => ({}) });
const { call, admin, internals, db } = kernel;
/** A node that remembers for a moment. */
const other = await startTestService({ settings: { DATABASE_URL: kernel.databaseUrl } });

async function hold(tenantId: string, scopeId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: kernel.databaseUrl });
  await client.connect();
  later(() => client.end());
  await client.query('begin');
  await client.query('select from scopes where tenant_id = $1 and scope_id = $2 for update', [tenantId, scopeId]);
  return async () => void (await client.query('commit'));
}

const rowsOf = async (tenantId: string) =>
  (await db.query('select from tenants where tenant_id = $1', [tenantId])).rowCount;
const gone = (tenantId: string) =>
  until(
    () => rowsOf(tenantId),
    (rows) => rows === 0,
  );
const typesOf = async (tenantId: string) =>
  (
    await db.query<{ type: string }>('select type from events where tenant_id = $1 order by event_id', [tenantId])
  ).rows.map(({ type }) => type);
const deleteTenant = (tenantId: string) => call('DELETE', `/admin/tenants/${tenantId}`, { key: admin });

const document = { scope_id: 's', name: 'n', text: 't', document_id: 'd', idempotency_key: 'k' };
const report = { scope_id: 's', claim_a: 'a', claim_b: 'b' };

/** What each route that acts for the tenant answers on a node, and what must not be there. */
async function askAll({ call, admin, internals }: Pick<TestKernel, 'call' | 'admin' | 'internals'>, tenant: Tenant) {
  const { tenantId, key: tenantKey } = tenant;
  const asAdmin = { key: admin, tenantKey };
  const asked: [string, string, object][] = [
    ['POST', '/api/ingest', { tenantId, body: document }],
    ['POST', '/api/ingest', { tenantId, body: { ...document, idempotency_key: undefined } }],
    ['POST', '/api/ingest', { tenantId, body: { scope_id: 's', name: 'n', text: 'another' } }],
    ['POST', '/api/ingest', { tenantId, body: { scope_id: 'new', name: 'n', text: 'another' } }],
    ['POST', '/api/documents', { tenantId, body: { ...document, text: 'another', idempotency_key: 'l' } }],
    ['POST', '/api/contradictions', { tenantId, body: report }],
    ['POST', '/api/contradictions', { tenantId, body: { ...report, claim_a: 'c' } }],
    ['GET', '/api/documents/d?scope_id=s', { tenantKey }],
    ['DELETE', '/api/documents/d?scope_id=s', { tenantKey }],
    ['GET', '/api/contradictions?scope_id=s', { tenantKey }],
    ['GET', '/api/scopes/s/summary', { tenantKey }],
    ['POST', '/admin/scopes', { ...asAdmin, body: { scope_id: 'more' } }],
    ['GET', '/admin/scopes/s/summary', asAdmin],
    ['GET', '/admin/scopes/s/metrics', asAdmin],
    ['GET', '/admin/scopes/s/documents', asAdmin],
    ['GET', '/admin/scopes/s/contradictions', asAdmin],
    ['GET', '/admin/scopes/s/events', asAdmin],
    ['POST', '/admin/scopes/s/documents', { ...asAdmin, body: { name: 'n', text: 'attached' } }],
    ['POST', '/admin/scopes/s/ingest', asAdmin],
    ['POST', '/admin/scopes/s/reset', asAdmin],
    ['POST', '/admin/runtime/start', asAdmin],
    ['POST', '/admin/runtime/pause', { ...asAdmin, body: { scope_id: 's' } }],
    ['POST', '/internals/kernel/runtime/start', { key: internals, tenantKey }],
    ['DELETE', '/admin/scopes/s', asAdmin],
    ['GET', `/admin/tenants/${tenantId}`, { key: admin }],
    ['PATCH', `/admin/tenants/${tenantId}`, { key: admin, body: { name: 'x' } }],
    ['DELETE', `/admin/tenants/${tenantId}`, { key: admin }],
    ['GET', `/admin/tenants/${tenantId}/keys`, { key: admin }],
    ['POST', `/admin/tenants/${tenantId}/keys`, { key: admin }],
    ['DELETE', `/admin/tenants/${tenantId}/keys/${tenantKey.split('_').slice(0, 2).join('_')}`, { key: admin }],
  ];
  const answers = [];
  for (const [method, path, options] of asked)
    answers.push({ asked: `${method} ${path}`, status: (await call(method, path, options)).status });
  return answers;
}

async function seenInLists(tenantId: string) {
  const lists = [
    await call('GET', '/admin/tenants?limit=200', { key: admin }),
    await call('GET', '/internals/kernel/convergence?limit=100', { key: internals }),
    await call('GET', `/internals/kernel/convergence?tenant_id=${tenantId}`, { key: internals }),
  ];
  return lists.some(({ body }) => JSON.stringify(body).includes(tenantId));
}

const backlog = async () =>
  (await call('GET', '/internals/metrics', { key: internals })).body.match(/^docket_backlog_documents (\d+)/m)?.[1];

it('is gone at once from every route of every node, while its rows are still there', async () => {
  await kernel.control('pause');
  const tenant = await kernel.newTenant();
  const { tenantId, key: tenantKey } = tenant;
  for (const node of [kernel, other]) {
    await node.call('POST', '/api/ingest', { tenantId, body: document });
    await node.call('POST', '/api/contradictions', { tenantId, body: report });
    expect((await node.call('GET', '/api/scopes/s/summary', { tenantKey })).status).toBe(200);
  }
  await kernel.ingest(tenant, 'held', 'ok');
  expect([await seenInLists(tenantId), await backlog()]).toEqual([true, '2']);
  const letGo = await hold(tenantId, 'held');

  expect((await deleteTenant(tenantId)).status).toBe(204);
  const told = await askAll(other, { tenantId, key: tenantKey });
  expect(told.filter(({ status }) => status !== 401 && status !== 404)).toEqual([]);
  // By a key that this node remembers.
  expect((await other.call('GET', '/admin/scopes', { key: other.admin, tenantKey })).body.scopes ?? []).toEqual([]);
  const here = await askAll(kernel, tenant);
  expect(here.filter(({ asked, status }) => status !== (asked.includes('/tenants/') ? 404 : 401))).toEqual([]);
  expect([await seenInLists(tenantId), await backlog()]).toEqual([false, '0']);
  expect(await rowsOf(tenantId)).toBe(1);

  await letGo();
  await gone(tenantId);
  const { rows } = await db.query(
    `select (select count(*)::int from scopes where tenant_id = $1) as scopes,
            (select count(*)::int from api_keys where tenant_id = $1) as keys,
            (select count(*)::int from tenant_turns where tenant_id = $1) as turns`,
    [tenantId],
  );
  expect(rows).toEqual([{ scopes: 0, keys: 0, turns: 0 }]);
  const types = await typesOf(tenantId);
  expect(types.indexOf('tenant.deleted')).toBe(types.length - 1);
  await kernel.control('resume');
});

it('takes nothing that was under way when it was deleted', async () => {
  const { tenantId } = await kernel.newTenant();
  const post = (text: string, scope_id = 's') =>
    call('POST', '/api/ingest', { tenantId, body: { scope_id, name: 'n', text } });
  expect((await post('before')).status).toBe(202);
  const letGo = await hold(tenantId, 's');
  const late = post('late');
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%accept_new_documents%'`;
  await until(
    async () => (await db.query(waits)).rowCount,
    (waiting) => waiting === 1,
  );
  expect((await deleteTenant(tenantId)).status).toBe(204);
  await letGo();
  expect(await late).toMatchObject({ status: 401, body: { detail: 'The tenant of this request was deleted.' } });
  await gone(tenantId);
  expect((await typesOf(tenantId)).at(-1)).toBe('tenant.deleted');
});

it('writes nothing of a batch that was in work', async () => {
  const tenant = await kernel.newTenant();
  const held = newHeld();
  await kernel.ingest(tenant, 'in-work', held.text, { document_id: 'd' });
  await until(
    () => kernel.document(tenant, 'in-work', 'd'),
    ({ state }) => state === 'processing',
  );
  const letGo = await hold(tenant.tenantId, 'in-work');
  await deleteTenant(tenant.tenantId);
  held.letGo();
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%settle_lanes%'`;
  await until(
    async () => (await db.query(waits)).rowCount,
    (waiting) => waiting === 1,
  );
  await letGo();
  await gone(tenant.tenantId);
  expect(await typesOf(tenant.tenantId)).toEqual([
    'tenant.created',
    'key.issued',
    'scope.created',
    'document.queued',
    'tenant.deleted',
  ]);
  expect(kernel.logged()).not.toContain('a worker crashed');
});
