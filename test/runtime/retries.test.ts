/** What operators have tried again keeps to the rules, whatever is in work meanwhile. */
import { expect, it } from 'vitest';
import { newHeld, startTestKernel } from '../support/kernel.ts';
import { until } from '../support/until.ts';

it('a version below one in work is superseded by it, though it was queued again', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) }, { WORKERS: '1', DOCUMENT_ATTEMPTS: '1' });
  const { call, admin, db } = kernel;
  const tenant = await kernel.newTenant();
  const document_id = 'd';
  await kernel.ingest(tenant, 's', 'throw', { document_id });
  await until(
    () => kernel.document(tenant, 's', document_id),
    ({ state }) => state === 'failed',
  );
  const held = newHeld();
  await kernel.ingest(tenant, 's', held.text, { document_id });
  await until(
    () => kernel.summary(tenant, 's'),
    ({ documents }) => documents.processing === 1,
  );
  const found = await call('GET', `/admin/documents?state=processing`, { key: admin });
  expect(found.body.documents).toMatchObject([{ tenant_id: tenant.tenantId, version: 2, state: 'processing' }]);
  expect((await call('GET', `/admin/documents?state=queued`, { key: admin })).body.documents).toEqual([]);

  const body = { tenant_id: tenant.tenantId, scope_id: 's' };
  const retried = await call('POST', '/admin/documents/retry', { key: admin, body });
  expect(retried.body).toMatchObject({ matched: 1, queued: 1, complete: true });
  held.letGo();
  const { documents } = await kernel.processed(tenant, 's', 1);
  expect(documents).toMatchObject({ total: 2, superseded: 1, failed: 0, queued: 0, processing: 0 });
  await until(
    async () => (await db.query('select from lanes')).rows,
    (lanes) => lanes.length === 0,
  );
  expect((await kernel.events('s')).slice(-3)).toEqual([
    'document.queued d',
    'document.superseded d',
    'document.processed d',
  ]);
});

it('a scope that is stopped, or whose lane waits for another attempt, takes it up when it may', async () => {
  const settings = { DOCUMENT_ATTEMPTS: '2', RETRY_BASE_MS: '300000' };
  const kernel = await startTestKernel({ settings: () => ({}) }, settings);
  const { call, admin, db } = kernel;
  const tenant = await kernel.newTenant();
  await kernel.ingest(tenant, 's', 'throw', { document_id: 'failed' });
  await until(
    () => kernel.document(tenant, 's', 'failed'),
    ({ attempts }) => attempts === 1,
  );
  // As after its last attempt; the other one waits for its second for five minutes.
  await db.query(`update documents set state = 'failed', not_before = null, finished_at = now(), attempts = 2`);
  await db.query('update scopes set retrying = 0, failed = 1');
  await kernel.ingest(tenant, 's', 'throw', { document_id: 'waits' });
  await until(
    () => kernel.document(tenant, 's', 'waits'),
    ({ attempts }) => attempts === 1,
  );
  await db.query(`update document_contents set text = 'ok'`);
  await kernel.control('stop', tenant, 's');
  const retry = () => call('POST', '/admin/documents/retry', { key: admin, body: { state: 'failed' } });
  expect((await retry()).body).toMatchObject({ matched: 1, queued: 1, complete: true });
  expect((await kernel.summary(tenant, 's')).documents).toMatchObject({ queued: 2, failed: 0 });
  await kernel.control('start', tenant, 's');
  await kernel.processed(tenant, 's', 1);
  expect(await kernel.document(tenant, 's', 'waits')).toMatchObject({ state: 'queued', attempts: 1 });
});
