/** A document that is deleted while a worker has it leaves nothing behind, whatever the worker knows of its scope. */
import { expect, it } from 'vitest';
import { newHeld, startTestKernel } from '../support/kernel.ts';
import { until } from '../support/until.ts';

it.each([
  ['has its index in memory', {}],
  ['has to read its index first', { INDEX_CACHE_MB: '0' }],
])('when the worker %s', async (_what, settings) => {
  const kernel = await startTestKernel({ settings: () => ({}) }, { WORKERS: '1', ...settings });
  const tenant = await kernel.newTenant();
  await kernel.ingest(tenant, 'acme', 'ok', { document_id: 'before' });
  await kernel.processed(tenant, 'acme', 1);

  const held = newHeld();
  await kernel.control('pause');
  await kernel.ingest(tenant, 'acme', held.text, { document_id: 'held' });
  await kernel.ingest(tenant, 'acme', 'ok', { document_id: 'gone' });
  await kernel.control('start');
  await until(
    () => kernel.summary(tenant, 'acme'),
    ({ documents }) => documents.processing === 2,
  );
  const deleted = await kernel.call('DELETE', '/api/documents/gone?scope_id=acme', { tenantKey: tenant.key });
  expect(deleted.status).toBe(204);
  held.letGo();

  const { documents } = await kernel.processed(tenant, 'acme', 2);
  expect(documents).toMatchObject({ total: 2, queued: 0, processing: 0, failed: 0 });
  expect(await kernel.events('acme')).not.toContain('document.processed gone');
  const { rows } = await kernel.db.query('select document_id from readings order by 1');
  expect(rows).toEqual([{ document_id: 'before' }, { document_id: 'held' }]);
  expect((await kernel.db.query('select from lanes')).rows).toEqual([]);
});
