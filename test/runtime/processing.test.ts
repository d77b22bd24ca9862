/** Documents that were accepted get processed: in order within a scope, once, with what can be seen of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { newHeld, startTestKernel, type TestKernel, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

onBothBackends('processing', (backend) => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await startTestKernel(backend);
  });

  it('takes a document from queued to processed, and says so everywhere', async () => {
    const tenant = await kernel.newTenant();
    await kernel.ingest(tenant, 'one', 'ok', { document_id: 'a' });
    const summary = await kernel.processed(tenant, 'one', 1);
    expect(summary).toMatchObject({
      documents: { total: 1, pending: 0, queued: 0, processing: 0, processed: 1, failed: 0, superseded: 0 },
      last_seq: 0,
      runtime: { state: 'running', effective_state: 'running' },
    });
    const document = await kernel.document(tenant, 'one', 'a');
    expect(document).toMatchObject({ state: 'processed', attempts: 1, error: null });
    expect(Date.parse(document.started_at)).toBeGreaterThanOrEqual(Date.parse(document.queued_at));
    expect(Date.parse(document.finished_at)).toBeGreaterThanOrEqual(Date.parse(document.started_at));
    expect(await kernel.events('one')).toEqual(['scope.created', 'document.queued a', 'document.processed a']);
    const { rows } = await kernel.db.query('select from lanes');
    expect(rows).toHaveLength(0);
  });

  it('processes what is plainly no text, or of an unknown type, and warns of it', async () => {
    const service = withVerbs(await startTestService({ settings: { ROLE: 'all', ...backend.settings() } }));
    const tenant = await service.newTenant();
    const pdf = Buffer.from(Array.from({ length: 900 }, (_, n) => (n * 7919) % 256)).toString('base64');
    await service.ingest(tenant, 'odd', pdf, { document_id: 'a', type: 'application/pdf' });
    await service.processed(tenant, 'odd', 1);
    expect(await service.document(tenant, 'odd', 'a')).toMatchObject({
      state: 'processed',
      warnings: [expect.stringContaining('"application/pdf" is not known'), expect.stringContaining('base64')],
    });
  });

  it('takes no document before it can be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docket-late-'));
    later(() => rmSync(folder, { recursive: true }));
    // A thread has the environment of the moment in which it is made.
    process.env.LATE_UNTIL = join(folder, 'ready');
    const pipeline = new URL('../support/threads/late.ts', import.meta.url);
    const service = await startTestService({ pipeline, settings: { ROLE: 'all', ...backend.settings() } });
    const kernel = withVerbs(service);
    const tenant = await kernel.newTenant();
    await kernel.ingest(tenant, 'early', 'ok', { document_id: 'a' });
    await sleep(300);
    const opened = Date.now();
    writeFileSync(process.env.LATE_UNTIL, '');
    await kernel.processed(tenant, 'early', 1);
    const { started_at } = await kernel.document(tenant, 'early', 'a');
    expect(Date.parse(started_at)).toBeGreaterThanOrEqual(opened);
  });

  it('keeps the order of a scope, over many batches and beside other scopes', async () => {
    const tenant = await kernel.newTenant();
    const scopes = ['a', 'b', 'c', 'd'];
    const N = 300;
    const documents = Array.from({ length: N * scopes.length }, (_, n) => ({
      scope_id: scopes[n % scopes.length],
      name: 'n',
      text: 'ok',
    }));
    const { tenantId } = tenant;
    while (documents.length > 0) {
      const body = { documents: documents.splice(0, 50) };
      expect((await kernel.call('POST', '/api/ingest/batch', { tenantId, body })).status).toBe(202);
    }
    for (const scope of scopes) {
      await kernel.processed(tenant, scope, N);
      const { rows } = await kernel.db.query<{ seq: number }>(
        `select (payload->>'seq')::int as seq from events
          where scope_id = $1 and type = 'document.processed' order by event_id`,
        [scope],
      );
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: N }, (_, n) => n));
    }
  });

  it('shows what is in work as processing, and nothing of it as queued', async () => {
    const tenant = await kernel.newTenant();
    const held = newHeld();
    await kernel.ingest(tenant, 'slow', held.text, { document_id: 'a' });
    await until(
      () => kernel.document(tenant, 'slow', 'a'),
      ({ state }) => state === 'processing',
    );
    const list = async (state: string) =>
      (
        await kernel.call('GET', `/admin/scopes/slow/documents?state=${state}`, {
          key: kernel.admin,
          tenantKey: tenant.key,
        })
      ).body.documents.map(({ document_id }: { document_id: string }) => document_id);
    expect([await list('processing'), await list('queued')]).toEqual([['a'], []]);
    expect((await kernel.summary(tenant, 'slow')).documents).toMatchObject({ queued: 0, processing: 1, processed: 0 });
    held.letGo();
    await kernel.processed(tenant, 'slow', 1);
    expect([await list('processing'), await list('processed')]).toEqual([[], ['a']]);
  });

  it('supersedes the older versions of a document once a newer one is processed', async () => {
    const tenant = await kernel.newTenant();
    await kernel.ingest(tenant, 'versions', 'first', { document_id: 'a' });
    await kernel.processed(tenant, 'versions', 1);
    await kernel.ingest(tenant, 'versions', 'second', { document_id: 'a' });
    await until(
      () => kernel.summary(tenant, 'versions'),
      ({ documents }) => documents.superseded === 1,
    );
    expect((await kernel.summary(tenant, 'versions')).documents).toMatchObject({ processed: 1, superseded: 1 });
    expect(await kernel.document(tenant, 'versions', 'a')).toMatchObject({ version: 2, state: 'processed' });
  });

  it('lets a newer version pass one that waits for its next attempt, which is then superseded', async () => {
    const kernel = await startTestKernel(backend, { RETRY_BASE_MS: '60000' });
    const tenant = await kernel.newTenant();
    await kernel.ingest(tenant, 'passed', 'throw', { document_id: 'a' });
    await until(
      () => kernel.document(tenant, 'passed', 'a'),
      ({ attempts }) => attempts === 1,
    );
    await kernel.ingest(tenant, 'passed', 'better', { document_id: 'a' });
    const { documents } = await kernel.processed(tenant, 'passed', 1);
    expect(documents).toMatchObject({ queued: 0, processed: 1, superseded: 1 });
  });

  it('processes what is triggered, skips entries without text, and retries what failed on request', async () => {
    const kernel = await startTestKernel(backend, { DOCUMENT_ATTEMPTS: '1' });
    const tenant = await kernel.newTenant();
    const store = (body: object) =>
      kernel.call('POST', '/api/documents', {
        tenantId: tenant.tenantId,
        body: { scope_id: 'register', name: 'n', ...body },
      });
    const trigger = async (body?: object) =>
      (
        await kernel.call('POST', '/admin/scopes/register/ingest', {
          key: kernel.admin,
          tenantKey: tenant.key,
          ...(body && { body }),
        })
      ).body;
    await store({ document_id: 'entry' });
    await store({ document_id: 'good', text: 'ok' });
    await store({ document_id: 'bad', text: 'throw' });
    expect((await kernel.summary(tenant, 'register')).documents).toMatchObject({ pending: 3, queued: 0 });

    expect(await trigger()).toMatchObject({ queued: 2, already_queued: 0, skipped: 1, complete: true });
    await until(
      () => kernel.summary(tenant, 'register'),
      ({ documents }) => documents.failed === 1 && documents.processed === 1,
    );
    expect(await trigger()).toMatchObject({ queued: 0, already_queued: 0, skipped: 1 });
    expect(await trigger({ retry_failed: true })).toMatchObject({ queued: 1, skipped: 1 });
    await until(
      () => kernel.events('register'),
      (events) => events.filter((event) => event === 'document.failed bad').length === 2,
    );
    expect((await kernel.summary(tenant, 'register')).documents).toMatchObject({ pending: 1, processed: 1, failed: 1 });
  });
});
