/** A document that throws, hangs, eats its memory or kills its thread fails alone. */
import { beforeAll, expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { startTestKernel, type TestKernel } from '../support/kernel.ts';
import { until } from '../support/until.ts';

onBothBackends('failures', (backend) => {
  let patient: TestKernel;
  beforeAll(async () => {
    patient = await startTestKernel(backend);
  });

  it.each([
    ['throws', 'throw it-is-wrong', null, 'it-is-wrong'],
    ['hangs past its time', 'hang', '1000', 'Reading it took longer than 1000 ms.'],
    ['eats its memory', 'eat', null, 'Reading it needed more than 64 MB.'],
    ['kills its thread', 'exit', null, 'Reading it ended its thread.'],
    [
      'says what Postgres does not keep',
      'refuse',
      null,
      'Postgres refused what was found in it: unsupported Unicode escape sequence (22P05).',
    ],
  ])(
    'one that %s is tried again, then failed, and its neighbours are processed',
    async (_how, text, timeoutMs, error) => {
      const kernel = timeoutMs ? await startTestKernel(backend, { DOCUMENT_TIMEOUT_MS: timeoutMs }) : patient;
      const tenant = await kernel.newTenant();
      const scope = `bad-${text.split(' ')[0]}`;
      const documents = ['ok', 'ok', text, 'ok', 'ok'];
      await kernel.call('POST', '/api/ingest/batch', {
        tenantId: tenant.tenantId,
        body: {
          documents: documents.map((text, n) => ({ scope_id: scope, name: 'n', text, document_id: `d${n}` })),
        },
      });
      const summary = await until(
        () => kernel.summary(tenant, scope),
        ({ documents }) => documents.processed === 4 && documents.failed === 1,
      );
      expect(summary.documents).toMatchObject({ queued: 0, processing: 0, processed: 4, failed: 1 });
      expect(await kernel.document(tenant, scope, 'd2')).toMatchObject({ state: 'failed', attempts: 3, error });
      expect((await kernel.events(scope)).filter((event) => /failed|processed/.test(event)).sort()).toEqual([
        'document.failed d2',
        'document.processed d0',
        'document.processed d1',
        'document.processed d3',
        'document.processed d4',
      ]);
      const { body } = await kernel.call('GET', `/admin/scopes/${scope}/metrics`, {
        key: kernel.admin,
        tenantKey: tenant.key,
      });
      expect(body.documents).toEqual({ accepted: 5, processed: 4, failed: 1, retried: 2 });
      // The service is as it was.
      await kernel.ingest(tenant, 'after', 'ok');
      await kernel.processed(tenant, 'after', 1);
    },
  );

  it('waits longer after each attempt, while the lane goes on', async () => {
    const kernel = await startTestKernel(backend, { RETRY_BASE_MS: '1500', DOCUMENT_ATTEMPTS: '2' });
    const tenant = await kernel.newTenant();
    await kernel.ingest(tenant, 'lane', 'throw', { document_id: 'bad' });
    const waiting = await until(
      () => kernel.document(tenant, 'lane', 'bad'),
      ({ attempts }) => attempts === 1,
    );
    expect(waiting).toMatchObject({ state: 'queued', error: 'it threw', finished_at: null });
    expect(Date.parse(waiting.not_before)).toBeGreaterThan(Date.parse(waiting.started_at) + 1400);
    await kernel.ingest(tenant, 'lane', 'ok');
    expect((await kernel.processed(tenant, 'lane', 1)).documents).toMatchObject({ queued: 1, failed: 0 });
    const failed = await until(
      () => kernel.document(tenant, 'lane', 'bad'),
      ({ state }) => state === 'failed',
    );
    expect(Date.parse(failed.started_at)).toBeGreaterThanOrEqual(Date.parse(waiting.not_before));
  });

  it('processes a failed document that is posted again, with all its attempts', async () => {
    const kernel = await startTestKernel(backend, { DOCUMENT_ATTEMPTS: '1' });
    const tenant = await kernel.newTenant();
    const post = () => kernel.ingest(tenant, 'again', 'throw', { document_id: 'a' });
    await post();
    await until(
      () => kernel.document(tenant, 'again', 'a'),
      ({ state }) => state === 'failed',
    );
    expect((await post()).body).toMatchObject({ seq: 0 });
    await until(
      () => kernel.events('again'),
      (events) => events.filter((event) => event === 'document.failed a').length === 2,
    );
    expect(await kernel.document(tenant, 'again', 'a')).toMatchObject({ attempts: 1, version: 1 });
  });
});
