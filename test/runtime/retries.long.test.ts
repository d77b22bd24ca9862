/** Very many failed documents, tried again by two operators at once beside processing, with connections that break: the books are right. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addFailed } from '../support/failed.ts';
import { startTestKernel, type Tenant } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const EACH = 6000;
const BAD = 500;
const SCOPES = ['a', 'b'];

it('tries each again once, loses none, and counts them all', async () => {
  const kernel = await startTestKernel({ settings: () => ({}) }, { DOCUMENT_ATTEMPTS: '1', TENANT_BACKLOG: '1000000' });
  const replica = await startTestService({ settings: { DATABASE_URL: kernel.databaseUrl } });
  const { admin, db } = kernel;
  const tenants = [await kernel.newTenant(), await kernel.newTenant()];
  const places = tenants.flatMap((tenant) => SCOPES.map((scopeId): [Tenant, string] => [tenant, scopeId]));
  for (const [tenant, scopeId] of places) {
    await kernel.ingest(tenant, scopeId, 'ok');
    await kernel.processed(tenant, scopeId, 1);
    const place = { tenantId: tenant.tenantId, scopeId };
    await addFailed(db, place, EACH, { error: `'Mended: ' || n` });
    await addFailed(db, place, BAD, { error: `'Broken.'`, text: 'throw Broken.' });
  }

  let queued = 0;
  let isOver = false;
  const operator = async ({ call }: typeof replica, body: { older_than?: string; error?: string }) => {
    for (let told = body; ; ) {
      const answer = await call('POST', '/admin/documents/retry', { key: admin, body: { state: 'failed', ...told } });
      // A piece whose connection broke is undone; those before it stand, and who calls again goes on.
      if (answer.status === 503) continue;
      queued += answer.body.queued;
      told = { ...told, older_than: answer.body.older_than };
      if (answer.body.complete) return;
    }
  };
  const breaking = async () => {
    while (!isOver) {
      await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query like 'select retry_documents%' limit 1`,
      );
      await sleep(300);
    }
  };
  const breaks = breaking();
  await Promise.all([
    operator(kernel, {}),
    operator(replica, {}),
    operator(replica, { error: 'Mended: 1' }),
    ...places.map(([tenant, scopeId]) => kernel.ingest(tenant, scopeId, 'ok')),
  ]);
  isOver = true;
  await breaks;
  // What broke in the middle is what is left.
  await operator(kernel, { error: 'Mended' });

  for (const [tenant, scopeId] of places) {
    const { documents } = await until(
      () => kernel.summary(tenant, scopeId),
      (summary) => summary.documents.queued + summary.documents.processing === 0,
    );
    expect(documents).toEqual({
      ...{ total: EACH + BAD + 2, processed: EACH + 2, failed: BAD },
      ...{ pending: 0, queued: 0, processing: 0, superseded: 0 },
    });
  }
  const { rows: wrong } = await db.query(
    `select scope_id from scopes s cross join lateral (
       select count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'retrying') as retrying,
              count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'processed') as processed
         from documents d where d.scope_key = s.scope_key and d.generation = s.generation) counted
      where (s.queued, s.retrying, s.failed, s.processed)
         is distinct from (counted.queued, counted.retrying, counted.failed, counted.processed)`,
  );
  expect(wrong).toEqual([]);
  const { rows: events } = await db.query<{ type: string; n: number }>(
    `select type, count(*)::int as n from events where type in ('document.queued', 'document.processed', 'document.failed')
      group by 1 order by 1`,
  );
  const posted = 2 * places.length;
  const told = new Map(events.map(({ type, n }) => [type, n]));
  expect(told.get('document.processed')).toBe(places.length * EACH + posted);
  // A call whose connection broke has queued some of which it could not tell.
  expect(told.get('document.queued')).toBeGreaterThanOrEqual(queued + posted);
  expect(told.get('document.queued')).toBe((told.get('document.processed') ?? 0) + (told.get('document.failed') ?? 0));
  expect((await db.query('select from lanes')).rows).toEqual([]);
});
