/** Two api and two worker processes over one Postgres and one queue act as one, also when one of them dies or freezes. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import { afterEach, expect, it } from 'vitest';
import type { HatcherySnapshot } from '../../src/contract/kernel.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { Database } from '../../src/storage/database.ts';
import { onBothBackends, type QueueBackend } from '../support/backends.ts';
import { connect, newDatabase } from '../support/database.ts';
import { call, type Started, startService, stop } from '../support/process.ts';
import { until } from '../support/until.ts';

const LEASE_MS = 2000;
const SCOPES = 20;
/** Long to read: some 4 ms of CPU each, so that two workers are busy for more than a second. */
const BUSY = 1000;
const key = (tier: string) => `${tier}-${randomBytes(24).toString('hex')}`;

type Snapshot = Static<typeof HatcherySnapshot>;

interface Replica extends Started {
  url: string;
}

interface Cluster {
  db: Database;
  apis: Replica[];
  workers: Replica[];
  admin: string;
  internals: string;
  tenantId: string;
  tenantKey: string;
}

let running: Started[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
});

async function startCluster(backend: QueueBackend): Promise<Cluster> {
  const databaseUrl = await newDatabase();
  const db = connect(databaseUrl);
  const [admin, internals] = [key('admin'), key('internals')];
  const settings = backend.settings();
  const start = async (ROLE: string): Promise<Replica> => {
    const started = startService({
      ...settings,
      ROLE,
      DATABASE_URL: databaseUrl,
      LANE_LEASE_MS: `${LEASE_MS}`,
      ADMIN_API_KEYS: admin,
      INTERNALS_API_KEYS: internals,
      TENANT_RATE_PER_S: '100000',
      TENANT_BURST: '100000',
      TENANT_LANES: '100',
    });
    running.push(started);
    return { ...started, url: await started.listening };
  };
  const [api1, api2, worker1, worker2] = await Promise.all(['api', 'api', 'worker', 'worker'].map(start));
  const { tenant, key: tenantKey } = await createTenant(db, 'tenant');
  return {
    db,
    apis: [api1, api2] as Replica[],
    workers: [worker1, worker2] as Replica[],
    admin,
    internals,
    tenantId: tenant.tenant_id,
    tenantKey,
  };
}

/** So many documents over the scopes, through both api nodes. Returns how many were accepted. */
async function post({ apis, tenantId }: Cluster, n: number, size: number): Promise<number> {
  const text = 'The lease runs for three years from March. '.repeat(Math.ceil(size / 43)).slice(0, size);
  const batches = Array.from({ length: n / 50 }, (_, batch) =>
    Array.from({ length: 50 }, (_, at) => ({ scope_id: `scope-${(batch * 50 + at) % SCOPES}`, name: 'n', text })),
  );
  const answers = await Promise.all(
    batches.map(async (documents, batch) => {
      const response = await fetch(`${apis[batch % 2]?.url}/api/ingest/batch`, {
        method: 'POST',
        headers: { 'x-tenant-id': tenantId, 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      });
      return ((await response.json()) as { results: { status: number }[] }).results;
    }),
  );
  return answers.flat().filter(({ status }) => status === 202).length;
}

async function processedOf({ db }: Cluster): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select coalesce(sum(processed), 0)::int as n from scopes');
  return rows[0]?.n ?? 0;
}

/** With so much waiting that every worker is in the middle of it for a while. */
async function getBusy(cluster: Cluster): Promise<void> {
  const [{ url }] = cluster.apis as [Replica];
  await call(url, '/admin/runtime/pause', cluster.admin, {});
  await post(cluster, BUSY, 20_000);
  await call(url, '/admin/runtime/resume', cluster.admin, {});
  await until(
    () => processedOf(cluster),
    (n) => n > 100,
  );
}

async function snapshotOf({ internals }: Cluster, { url }: Replica): Promise<Snapshot> {
  return (await call(url, '/internals/kernel/hatchery/snapshot', internals)).body;
}

/** Documents that its workers settled. */
async function doneBy(cluster: Cluster, replica: Replica): Promise<number> {
  const { workers } = await snapshotOf(cluster, replica);
  return workers.reduce((sum, { documents }) => sum + documents, 0);
}

/** How many lanes. */
async function heldBy({ db }: Cluster, node: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>("select count(*)::int as n from lanes where holder like $1 || '-%'", [
    node,
  ]);
  return rows[0]?.n ?? 0;
}

/** With a batch in hand: between two, nothing would come to nothing. What was on its way to Postgres arrives meanwhile. */
async function freezeAtWork(cluster: Cluster, frozen: Replica): Promise<void> {
  const node = (await snapshotOf(cluster, frozen)).node_id;
  await until(
    async () => {
      frozen.child.kill('SIGSTOP');
      await sleep(200);
      const held = await heldBy(cluster, node);
      if (held === 0) frozen.child.kill('SIGCONT');
      return held;
    },
    (held) => held > 0,
  );
}

/** The visible effect: one event for each document, in the order of each scope, and counters that agree with the rows. */
async function expectOnce({ db }: Cluster, n: number): Promise<void> {
  const { rows } = await db.query(
    `select count(*)::int as events, count(distinct (scope_id, payload->>'seq'))::int as documents,
            (select count(*)::int from documents where state = 'processed') as rows,
            (select sum(processed)::int from scopes) as counted,
            (select sum(queued + retrying + failed)::int from scopes) as rest,
            (select count(*)::int from lanes) as lanes,
            bool_and(in_order) as in_order
       from (select scope_id, payload,
                    (payload->>'seq')::int > lag((payload->>'seq')::int, 1, -1)
                      over (partition by scope_id order by event_id) as in_order
               from events where type = 'document.processed') e`,
  );
  expect(rows[0]).toEqual({ events: n, documents: n, rows: n, counted: n, rest: 0, lanes: 0, in_order: true });
}

onBothBackends('four processes', (backend) => {
  it('share the work, follow one runtime, and know of each other', async () => {
    const cluster = await startCluster(backend);
    const { apis, workers, admin } = cluster;
    const [api1, api2] = apis as [Replica, Replica];
    const pause = await call(api1.url, '/admin/runtime/pause', admin, {});
    expect(pause.body).toMatchObject({ state: 'paused', draining: 0 });
    expect(pause.body.nodes.map(({ role }: { role: string }) => role).sort()).toEqual([
      'api',
      'api',
      'worker',
      'worker',
    ]);
    expect(await post(cluster, 2000, 3000)).toBe(2000);
    expect(await processedOf(cluster)).toBe(0);

    await call(api2.url, '/admin/runtime/resume', admin, {});
    await until(
      () => processedOf(cluster),
      (n) => n === 2000,
      30_000,
    );
    await expectOnce(cluster, 2000);
    for (const worker of workers) {
      expect(await doneBy(cluster, worker)).toBeGreaterThan(0);
      expect((await snapshotOf(cluster, worker)).nodes).toHaveLength(4);
    }
    const { status, body } = await call(api1.url, '/admin/control-plane/health', admin);
    expect([status, body.status]).toEqual([200, 'ok']);
  });

  it('lose one: it is noticed, its lanes move on within two leases, and nothing happens twice', async () => {
    const cluster = await startCluster(backend);
    const { workers, apis, admin } = cluster;
    const [dies] = workers as [Replica];
    await getBusy(cluster);
    const node = (await snapshotOf(cluster, dies)).node_id;
    // Killed while it holds lanes, or the test would show nothing.
    await until(
      () => heldBy(cluster, node),
      (n) => n > 0,
    );
    await stop(dies, 'SIGKILL');
    await until(
      () => heldBy(cluster, node),
      (n) => n === 0,
      2 * LEASE_MS,
    );
    await until(
      () => processedOf(cluster),
      (n) => n === BUSY,
      60_000,
    );
    await expectOnce(cluster, BUSY);
    const lost = await until(
      async () => (await call((apis[1] as Replica).url, '/admin/control-plane/health', admin)).body.nodes,
      (nodes) => nodes.some(({ state }: { state: string }) => state === 'lost'),
    );
    expect(lost.find(({ state }: { state: string }) => state === 'lost')).toMatchObject({ node_id: node });
  });

  it('have one frozen past its lease: when it thaws it writes nothing, and goes on with other work', async () => {
    const cluster = await startCluster(backend);
    const [frozen] = cluster.workers as [Replica];
    await getBusy(cluster);
    await freezeAtWork(cluster, frozen);
    await until(
      () => processedOf(cluster),
      (n) => n === BUSY,
      60_000,
    );
    frozen.child.kill('SIGCONT');
    // What it had in hand comes to its end, whichever way: its lease is gone, or its statement has run out of time.
    await until(
      () => snapshotOf(cluster, frozen),
      ({ workers }) => workers.every(({ state }) => state === 'idle'),
    );
    await expectOnce(cluster, BUSY);

    const before = await doneBy(cluster, frozen);
    let posted = BUSY;
    await until(
      async () => {
        posted += await post(cluster, 500, 100);
        return doneBy(cluster, frozen);
      },
      (done) => done > before,
    );
    await until(
      () => processedOf(cluster),
      (n) => n === posted,
    );
    await expectOnce(cluster, posted);
  });

  it('have one told to end under load: it hands its lanes on and ends with 0 in 10 s', async () => {
    const cluster = await startCluster(backend);
    const { workers, db } = cluster;
    const [ends] = workers as [Replica];
    await getBusy(cluster);
    const began = performance.now();
    const { code } = await stop(ends);
    expect(code).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await db.query('select from nodes')).rowCount).toBe(3);
    await until(
      () => processedOf(cluster),
      (n) => n === BUSY,
      60_000,
    );
    await expectOnce(cluster, BUSY);
  });
});
