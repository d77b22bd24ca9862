/** Two processes over one Postgres and one queue act as one, also when one of them dies. More of it is in replicas.long. */
import { expect, it } from 'vitest';
import { onBothBackends } from '../support/backends.ts';
import { call, stop } from '../support/process.ts';
import { until } from '../support/until.ts';
import { expectOnce, getBusy, processedOf, type Replica, snapshotOf, startCluster, untilHeldBy } from './cluster.ts';

const BUSY = 300;

onBothBackends('two processes', (backend) => {
  it('follow one runtime and share the work; when one is killed the other does the rest, and nothing twice', async () => {
    const cluster = await startCluster(backend, ['all', 'all']);
    const [dies, stays] = cluster.workers as [Replica, Replica];
    const node = (await snapshotOf(cluster, dies)).node_id;
    await getBusy(cluster, BUSY);
    // Killed while it holds lanes, or the test would show nothing.
    const posted = await untilHeldBy(cluster, node, BUSY);
    await stop(dies, 'SIGKILL');
    await until(
      () => processedOf(cluster),
      (n) => n === posted,
    );
    await expectOnce(cluster, posted);
    const { status, body } = await call(stays.url, '/admin/runtime/stop', cluster.admin, {});
    expect([status, body.state]).toEqual([200, 'stopped']);
    expect(await stop(stays)).toMatchObject({ code: 0 });
  });
});
