/** What Postgres cannot keep, from end to end: documents that only look like it are processed, and a bad one fails alone. */
import { beforeAll, expect, it } from 'vitest';
import { startTestKernel, type TestKernel, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: TestKernel;
beforeAll(async () => {
  service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
});

it('documents whose long sentences have an emoji where they are cut contradict each other like any', async () => {
  const tenant = await service.newTenant();
  const sentence = (staff: string) => {
    const text = `Acme Robotics has ${staff} employees in Cork, `;
    return `${text}${'x'.repeat(499 - text.length)}😀 and more.`;
  };
  await service.ingest(tenant, 'acme', sentence('1,900'), { document_id: 'a' });
  await service.ingest(tenant, 'acme', sentence('2,310'), { document_id: 'b' });
  await service.processed(tenant, 'acme', 2);
  const { body } = await service.call('GET', '/api/contradictions?scope_id=acme', { tenantKey: tenant.key });
  expect(body.contradictions).toMatchObject([
    { claim_a: sentence('1,900').slice(0, 499), claim_b: sentence('2,310').slice(0, 499) },
  ]);
  expect(service.logged()).not.toContain('a worker crashed');
});

it('JSON with U+0000 in a key, and halves of characters in values, is processed like any', async () => {
  const tenant = await service.newTenant();
  const json = (head: string) => `{"name": "Acme Robotics", "Head\\u0000": "${head}", "Motto": "Onwards\\ud83d"}`;
  await service.ingest(tenant, 'acme', json('Anna Larsen'), { type: 'json' });
  await service.ingest(tenant, 'acme', json('Bo Madsen'), { type: 'json' });
  await service.processed(tenant, 'acme', 2);
  const { body } = await service.call('GET', '/api/contradictions?scope_id=acme', { tenantKey: tenant.key });
  expect(body.contradictions).toMatchObject([{ attribute: 'Head\ufffd' }]);
  expect(service.logged()).not.toContain('a worker crashed');
});

it('documents that contradict one of old in words that Postgres does not keep fail, and no worker crashes', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) });
  const tenant = await kernel.newTenant();
  await kernel.ingest(tenant, 'lane', 'accuse', { document_id: 'old' });
  await kernel.processed(tenant, 'lane', 1);
  const texts = ['ok', 'accuse', 'ok', 'accuse', 'ok'];
  const documents = texts.map((text, n) => ({ scope_id: 'lane', name: 'n', text, document_id: `d${n}` }));
  await kernel.call('POST', '/api/ingest/batch', { tenantId: tenant.tenantId, body: { documents } });
  const summary = await until(
    () => kernel.summary(tenant, 'lane'),
    ({ documents }) => documents.failed === 2,
  );
  expect(summary.documents).toMatchObject({ queued: 0, processing: 0, processed: 4, failed: 2 });
  for (const id of ['d1', 'd3'])
    expect(await kernel.document(tenant, 'lane', id)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: expect.stringMatching(/^Postgres refused what was found in it: .+ \(22P02\)\.$/),
    });
  expect(kernel.logged()).not.toContain('a worker crashed');
  expect((await kernel.call('GET', '/api/health')).status).toBe(200);
});
