/** The runtime at its three levels: what each transition does, and what it answers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { newHeld, startTestKernel, type TestKernel, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

type State = 'running' | 'paused' | 'stopped';

/** From each state, where each action leads; null is a 409. */
const transitions: Record<State, Record<string, State | null>> = {
  running: { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped', restart: 'running' },
  paused: { start: 'running', pause: 'paused', resume: 'running', stop: 'stopped', restart: 'running' },
  stopped: { start: 'running', pause: null, resume: null, stop: 'stopped', restart: 'running' },
};
const into: Record<State, string> = { running: 'start', paused: 'pause', stopped: 'stop' };

describe('transitions', async () => {
  const service = withVerbs(await startTestService());
  const tenant = await service.newTenant();
  const { call, admin, internals } = service;
  await call('POST', '/admin/scopes', { key: admin, tenantKey: tenant.key, body: { scope_id: 'scope' } });

  const levels = {
    'the runtime': { path: '/admin/runtime', key: admin, options: {} },
    'a tenant': { path: '/admin/runtime', key: admin, options: { tenantKey: tenant.key } },
    'a scope': { path: '/admin/runtime', key: admin, options: { tenantKey: tenant.key, body: { scope_id: 'scope' } } },
    'a tenant, by internals': { path: '/internals/kernel/runtime', key: internals, options: { tenantKey: tenant.key } },
    'a tenant, by its id': { path: '/admin/runtime', key: admin, options: { body: { tenant_id: tenant.tenantId } } },
    'a scope, by its ids': {
      path: '/admin/runtime',
      key: admin,
      options: { body: { tenant_id: tenant.tenantId, scope_id: 'scope', reason: 'The disk is full.' } },
    },
    'a scope, by internals': {
      path: '/internals/kernel/runtime',
      key: internals,
      options: { tenantKey: tenant.key, body: { scope_id: 'scope' } },
    },
  };

  describe.each(Object.entries(levels))('of %s', (_name, { path, key, options }) => {
    const act = (action: string) => call('POST', `${path}/${action}`, { key, ...options });
    const cases = Object.entries(transitions).flatMap(([from, actions]) =>
      Object.entries(actions).map(([action, to]) => ({ from: from as State, action, to })),
    );

    it.each(cases)('$action when $from', async ({ from, action, to }) => {
      await act('start');
      await act(into[from]);
      const { status, body } = await act(action);
      if (to === null) {
        expect([status, body.code, body.detail]).toEqual([409, 'conflict', expect.stringContaining('start it first')]);
        return;
      }
      const changed = from !== to || action === 'restart';
      expect([status, body]).toMatchObject([200, { state: to, previous_state: from, changed, draining: 0 }]);
      await act('start');
    });
  });

  it('look at the addressed level only, and the strictest state is the effective one', async () => {
    const scope = (action: string) => service.control(action, tenant, 'scope');
    await service.control('stop', tenant);
    expect((await scope('pause')).body).toMatchObject({ state: 'paused', effective_state: 'stopped', level: 'scope' });
    expect((await service.control('start', tenant)).body).toMatchObject({
      level: 'tenant',
      tenant_id: tenant.tenantId,
      scope_id: null,
      effective_state: 'running',
    });
    expect((await scope('resume')).body).toMatchObject({ effective_state: 'running', scope_id: 'scope' });
    await service.control('pause');
    expect((await service.summary(tenant, 'scope')).runtime).toEqual({ state: 'running', effective_state: 'paused' });
    expect((await service.control('start')).body).toMatchObject({ level: 'runtime', tenant_id: null, scope_id: null });
  });

  it('say who made them, and what they were', async () => {
    const body = { tenant_id: tenant.tenantId, scope_id: 'scope', reason: 'The disk is full.' };
    await call('POST', '/admin/runtime/pause', { key: admin, body });
    const { rows } = await service.db.query(
      "select type, tenant_id, payload from events where scope_id = 'scope' and type like 'runtime.%' order by event_id desc limit 1",
    );
    expect(rows).toEqual([
      {
        type: 'runtime.paused',
        tenant_id: tenant.tenantId,
        payload: { level: 'scope', previous_state: 'running', by: expect.stringMatching(/^da_/), reason: body.reason },
      },
    ]);
    await service.control('start', tenant, 'scope');
  });

  it('know a tenant by its key, by its id, or by both when they agree', async () => {
    const other = await service.newTenant();
    const pause = async (body: object, tenantKey?: string, path = '/admin/runtime/pause') => {
      const answer = await call('POST', path, { key: internals, body, ...(tenantKey && { tenantKey }) });
      return [answer.status, answer.body.detail ?? answer.body.level];
    };
    const tenant_id = other.tenantId;
    expect(await pause({ tenant_id }, other.key)).toEqual([200, 'tenant']);
    expect(await pause({ tenant_id }, tenant.key)).toEqual([
      400,
      'body/tenant_id is not the tenant of X-Tenant-API-Key; leave one of them out',
    ]);
    expect(await pause({ tenant_id: 'ten_nobody' })).toEqual([404, 'Tenant ten_nobody does not exist']);
    expect(await pause({ tenant_id, scope_id: 'scope' })).toEqual([404, 'Scope scope does not exist']);
    expect((await pause({ tenant_id }, other.key, '/internals/kernel/runtime/pause'))[0]).toBe(400);
    expect((await service.summary(tenant, 'scope')).runtime).toMatchObject({ effective_state: 'running' });
  });

  it('refuse a scope without a tenant, of another tenant, and one that does not exist', async () => {
    const other = await service.newTenant();
    const pause = (options: object) => call('POST', '/admin/runtime/pause', { key: admin, ...options });
    expect((await pause({ body: { scope_id: 'scope' } })).status).toBe(400);
    expect((await pause({ tenantKey: other.key, body: { scope_id: 'scope' } })).status).toBe(404);
    expect((await pause({ tenantKey: tenant.key, body: { scope_id: 'nobody' } })).status).toBe(404);
    expect((await pause({ body: { scope: 'scope' } })).status).toBe(400);
    expect((await pause({ tenantKey: 'dk_short' })).status).toBe(401);
  });
});

/** As every node is to follow it. */
async function runtimeOf({ db }: TestKernel): Promise<{ state: State; restarts: number }> {
  const { rows } = await db.query<{ state: State; restarts: number }>('select state, restarts::int from runtime');
  return rows[0] as { state: State; restarts: number };
}

onBothBackends('a runtime with work', (backend) => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await startTestKernel(backend);
  });

  it('finishes what is in hand when it is paused, starts nothing, accepts all the same, and goes on when resumed', async () => {
    const tenant = await kernel.newTenant();
    const held = newHeld();
    await kernel.ingest(tenant, 'work', held.text);
    await until(
      () => kernel.summary(tenant, 'work'),
      ({ documents }) => documents.processing === 1,
    );
    const pausing = kernel.control('pause');
    await until(
      () => runtimeOf(kernel),
      ({ state }) => state === 'paused',
    );
    held.letGo();
    const { body } = await pausing;
    expect(body).toMatchObject({ state: 'paused', changed: true, draining: 0, nodes: [{ state: 'up' }] });
    expect((await kernel.summary(tenant, 'work')).documents).toMatchObject({ processed: 1, processing: 0 });

    expect((await kernel.ingest(tenant, 'work', 'ok')).status).toBe(202);
    const { rows } = await kernel.db.query('select take_lanes($1, 1000, 10, 10, 10, 10) as turn', ['somebody']);
    expect(rows).toEqual([{ turn: null }]);
    expect((await kernel.summary(tenant, 'work')).documents).toMatchObject({ queued: 1, processed: 1 });
    await kernel.control('resume');
    await kernel.processed(tenant, 'work', 2);
  });

  it('holds one tenant or one scope, and the others go on', async () => {
    const [held, free] = [await kernel.newTenant(), await kernel.newTenant()];
    await kernel.control('pause', held);
    await kernel.call('POST', '/admin/scopes', {
      key: kernel.admin,
      tenantKey: free.key,
      body: { scope_id: 'closed' },
    });
    await kernel.control('stop', free, 'closed');
    await kernel.ingest(held, 'a', 'ok');
    await kernel.ingest(free, 'closed', 'ok');
    await kernel.ingest(free, 'open', 'ok');
    await kernel.processed(free, 'open', 1);
    expect((await kernel.summary(held, 'a')).documents.queued).toBe(1);
    expect((await kernel.summary(free, 'closed')).documents.queued).toBe(1);
    await kernel.control('resume', held);
    await kernel.control('start', free, 'closed');
    await kernel.processed(held, 'a', 1);
    await kernel.processed(free, 'closed', 1);
  });

  it('lets its workers and threads go when it is stopped, stays so over a restart of the process, and starts again', async () => {
    const first = await startTestKernel(backend);
    const tenant = await first.newTenant();
    const snapshot = async (kernel: typeof first) =>
      (await kernel.call('GET', '/internals/kernel/hatchery/snapshot', { key: kernel.internals })).body;
    expect(await snapshot(first)).toMatchObject({ state: 'running', size: { target: 4, actual: 4 } });
    await first.control('stop');
    expect(await snapshot(first)).toMatchObject({ state: 'stopped', size: { target: 0, actual: 0 }, workers: [] });
    await first.close();

    const second = withVerbs(
      await startTestService({
        settings: { ROLE: 'all', ...backend.settings(), DATABASE_URL: first.databaseUrl },
      }),
    );
    await second.ingest(tenant, 'later', 'ok');
    expect(await snapshot(second)).toMatchObject({ state: 'stopped', workers: [] });
    await second.control('start');
    await second.processed(tenant, 'later', 1);
    expect(await snapshot(second)).toMatchObject({ state: 'running', size: { target: 4, actual: 4 } });
  });

  it('has new workers after a restart, once those in hand are done', async () => {
    const tenant = await kernel.newTenant();
    const held = newHeld();
    const ids = async () =>
      (await kernel.call('GET', '/internals/kernel/hatchery/snapshot', { key: kernel.internals })).body.workers.map(
        ({ id }: { id: string }) => id,
      );
    const before = await ids();
    await kernel.ingest(tenant, 'work', held.text);
    await until(
      () => kernel.summary(tenant, 'work'),
      ({ documents }) => documents.processing === 1,
    );
    const { restarts } = await runtimeOf(kernel);
    const restarting = kernel.control('restart');
    await until(
      () => runtimeOf(kernel),
      (now) => now.restarts > restarts,
    );
    held.letGo();
    expect((await restarting).body).toMatchObject({ state: 'running', changed: true, draining: 0 });
    expect((await kernel.summary(tenant, 'work')).documents.processed).toBe(1);
    const after: string[] = await ids();
    expect(after).toHaveLength(4);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    await kernel.ingest(tenant, 'work', 'ok');
    await kernel.processed(tenant, 'work', 2);
  });

  it('is followed by every other replica', async () => {
    const first = await startTestKernel(backend);
    const settings = { ROLE: 'worker', ...backend.settings(), DATABASE_URL: first.databaseUrl };
    const second = withVerbs(await startTestService({ settings }));
    const workers = async () =>
      (await second.call('GET', '/internals/kernel/hatchery/snapshot', { key: second.internals })).body.size.actual;
    expect(await workers()).toBe(4);
    await first.control('stop');
    await until(workers, (n) => n === 0);
    const { body } = await first.control('start');
    expect(body.nodes.map(({ role, state }: { role: string; state: string }) => [role, state])).toEqual([
      ['all', 'up'],
      ['worker', 'up'],
    ]);
    await until(workers, (n) => n === 4);
  });
});
