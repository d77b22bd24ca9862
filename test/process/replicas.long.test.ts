/** Two api and two worker processes over one Postgres and one queue act as one, also when one of them dies or freezes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { call, stop } from '../support/process.ts';
import { until } from '../support/until.ts';
import {
  type Cluster,
  doneBy,
  expectOnce,
  getBusy,
  heldBy,
  post,
  processedOf,
  type Replica,
  snapshotOf,
  startCluster,
  untilHeldBy,
} from './cluster.ts';

const FOUR = ['api', 'api', 'worker', 'worker'] as const;
const BUSY = 400;

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

onBothBackends('four processes', (backend) => {
  it('share the work, follow one runtime, and know of each other', async () => {
    const cluster = await startCluster(backend, FOUR);
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
    expect(await post(cluster, 1000, 3000)).toBe(1000);
    expect(await processedOf(cluster)).toBe(0);

    await call(api2.url, '/admin/runtime/resume', admin, {});
    await until(
      () => processedOf(cluster),
      (n) => n === 1000,
    );
    await expectOnce(cluster, 1000);
    for (const worker of workers) {
      expect(await doneBy(cluster, worker)).toBeGreaterThan(0);
      expect((await snapshotOf(cluster, worker)).nodes).toHaveLength(4);
    }
    const { status, body } = await call(api1.url, '/admin/control-plane/health', admin);
    expect([status, body.status]).toEqual([200, 'ok']);
  });

  it('lose one: it is noticed, its lanes move on after their lease, and nothing happens twice', async () => {
    const cluster = await startCluster(backend, FOUR);
    const { workers, apis, admin } = cluster;
    const [dies] = workers as [Replica];
    const node = (await snapshotOf(cluster, dies)).node_id;
    await getBusy(cluster, BUSY);
    // Killed while it holds lanes, or the test would show nothing.
    const posted = await untilHeldBy(cluster, node, BUSY);
    await stop(dies, 'SIGKILL');
    await until(
      () => heldBy(cluster, node),
      (n) => n === 0,
    );
    await until(
      () => processedOf(cluster),
      (n) => n === posted,
    );
    await expectOnce(cluster, posted);
    const lost = await until(
      async () => (await call((apis[1] as Replica).url, '/admin/control-plane/health', admin)).body.nodes,
      (nodes) => nodes.some(({ state }: { state: string }) => state === 'lost'),
    );
    expect(lost.find(({ state }: { state: string }) => state === 'lost')).toMatchObject({ node_id: node });
  });

  it('have one frozen past its lease: when it thaws it writes nothing, and goes on with other work', async () => {
    const cluster = await startCluster(backend, FOUR);
    const [frozen] = cluster.workers as [Replica];
    await getBusy(cluster, BUSY);
    await freezeAtWork(cluster, frozen);
    await until(
      () => processedOf(cluster),
      (n) => n === BUSY,
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

  it('have one told to end under load: it hands its lanes on and ends with 0', async () => {
    const cluster = await startCluster(backend, FOUR);
    const { workers, db } = cluster;
    const [ends] = workers as [Replica];
    await getBusy(cluster, BUSY);
    // It gives itself 10 s, and ends with 1 when they do not do.
    expect(await stop(ends)).toMatchObject({ code: 0 });
    expect((await db.query('select from nodes')).rowCount).toBe(3);
    await until(
      () => processedOf(cluster),
      (n) => n === BUSY,
    );
    await expectOnce(cluster, BUSY);
  });
});
