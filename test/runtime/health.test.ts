/** Health is about progress: work that could run and does not is not healthy, though every socket is open. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { startTestKernel, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const inPostgres = { settings: () => ({}) };
const LEASE = { LANE_LEASE_MS: '500' };

it('turns bad when there is runnable work and nobody makes progress, and good again', async () => {
  const api = withVerbs(await startTestService({ settings: LEASE }));
  const tenant = await api.newTenant();
  const kernelHealth = async () => {
    const { status, body } = await api.call('GET', '/internals/kernel/health', { key: api.internals });
    return [status, body.status, body.checks.workers.status];
  };
  const controlPlane = async () => {
    const { status, body } = await api.call('GET', '/internals/kernel/control-plane/health', { key: api.internals });
    return [status, body.service, body.checks.postgres.status, body.checks.queue.status, body.checks.workers.status];
  };
  expect(await kernelHealth()).toEqual([200, 'ok', 'up']);

  await api.ingest(tenant, 'work', 'ok');
  await until(kernelHealth, ([status]) => status === 503);
  expect(await kernelHealth()).toEqual([503, 'unavailable', 'down']);
  expect(await controlPlane()).toEqual([503, 'control-plane', 'up', 'up', 'down']);
  expect((await api.call('GET', '/api/health')).status).toBe(200);

  // Held work is not runnable.
  await api.control('pause', tenant);
  expect(await kernelHealth()).toEqual([200, 'ok', 'up']);
  await api.control('resume', tenant);
  await until(kernelHealth, ([status]) => status === 503);

  await startTestKernel(inPostgres, { ...LEASE, ROLE: 'worker', DATABASE_URL: api.databaseUrl });
  await api.processed(tenant, 'work', 1);
  await until(kernelHealth, ([status]) => status === 200);
  expect(await controlPlane()).toEqual([200, 'control-plane', 'up', 'up', 'up']);
});

it('says that it is not known what waits when Postgres answers and that cannot be read', async () => {
  const api = await startTestService({});
  const holder = new pg.Client({ connectionString: api.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table lanes in access exclusive mode');
  const { status, body } = await api.call('GET', '/internals/kernel/health', { key: api.internals });
  expect([status, body.checks.postgres.status]).toEqual([503, 'up']);
  expect(body.checks.workers).toEqual({ status: 'down', detail: expect.stringContaining('Postgres answers') });
  await holder.end();
});

it('stays good while a lane waits long and others are served', async () => {
  const kernel = await startTestKernel(inPostgres, { LANE_LEASE_MS: '3000', WORKERS: '1', THREADS: '1' });
  const tenant = await kernel.newTenant();
  await kernel.call('POST', '/api/ingest/batch', {
    tenantId: tenant.tenantId,
    body: { documents: Array.from({ length: 40 }, (_, n) => ({ scope_id: `s-${n}`, name: 'n', text: 'wait 100' })) },
  });
  const seen = new Set<number>();
  await until(
    async () => {
      seen.add((await kernel.call('GET', '/internals/kernel/health', { key: kernel.internals })).status);
      const { rows } = await kernel.db.query<{ n: number }>('select sum(processed)::int as n from scopes');
      return rows[0]?.n;
    },
    (n) => n === 40,
  );
  expect([...seen]).toEqual([200]);
});

it('shows real rates, and what it did, to operators and to Prometheus', async () => {
  const kernel = await startTestKernel(inPostgres);
  const tenant = await kernel.newTenant();
  for (let n = 0; n < 10; n++) await kernel.ingest(tenant, 'rates', n === 9 ? 'throw' : 'ok');
  await until(
    () => kernel.summary(tenant, 'rates'),
    ({ documents }) => documents.processed === 9 && documents.failed === 1,
  );
  const { body } = await kernel.call('GET', '/internals/kernel/hatchery/snapshot', { key: kernel.internals });
  expect(body).toMatchObject({
    state: 'running',
    size: { target: 4, actual: 4, min: 0, max: 4 },
    load: { arrival_per_s: 1, service_per_s: 1, backlog: 0 },
    nodes: [{ node_id: body.node_id, role: 'all', state: 'up' }],
  });
  expect(body.load.utilisation).toBeGreaterThan(0);
  const total = (name: string) => body.workers.reduce((sum: number, worker: never) => sum + Number(worker[name]), 0);
  expect([total('documents'), total('failures'), total('restarts')]).toEqual([12, 3, 0]);
  expect(body.recent.map(({ action }: { action: string }) => action)).toEqual(Array(4).fill('started'));

  const metrics = await kernel.call('GET', '/internals/metrics', { key: kernel.internals });
  expect(metrics.headers.get('content-type')).toContain('text/plain');
  for (const line of [
    'docket_documents_queued_total 10',
    'docket_documents_total{outcome="processed"} 9',
    'docket_documents_total{outcome="failed"} 1',
    'docket_documents_total{outcome="retried"} 2',
    'docket_backlog_documents 0',
    'docket_queue_up 1',
    'docket_workers{state="idle"} 4',
    'docket_runtime_state{state="running"} 1',
    'docket_nodes{state="up"} 1',
  ])
    expect(metrics.body.split('\n')).toContain(line);
});
