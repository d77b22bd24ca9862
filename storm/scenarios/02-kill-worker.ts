/** 2: kill -9 of a worker replica that holds lanes. Its lanes move on within two leases, and nothing is done twice. */
import { type Deployment, nodeIdOf, setRuntime } from '../deployment.ts';
import type { Node } from '../node.ts';
import { processedOf, timeUntilQuiet } from '../oracle/quiet.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { LONG_READING } from '../texts.ts';
import { sleep, until } from '../waiting.ts';

/** For many minutes, and slow to read: more than a busy machine processes would be waiting at the end, and prove nothing. */
export const LONG_PER_SECOND = 15;

export const killWorker: Scenario = {
  number: 2,
  name: 'kill-worker',
  what: 'kill -9 of a worker replica that holds lanes',
  backends: ['postgres', 'redis'],
  processes: [4],
  async run(run: Run) {
    const leaseMs = run.long ? 15_000 : 2000;
    const settings = { LANE_LEASE_MS: `${leaseMs}` };
    const siege = await besiege(
      run,
      { settings },
      { filler: LONG_READING, perSecond: run.long ? LONG_PER_SECOND : 60, changing: true },
    );
    const { deployment, load } = siege;
    const kills = scaled(run, 20, 2);
    let held = 0;
    let killedAt = 0;
    for (let n = 0; n < kills; n++) {
      const worker = run.chance.pick(deployment.workers);
      // With the last kill nothing new comes, and little else waits: what is measured is what the dead one had.
      const isLast = n === kills - 1;
      if (isLast) {
        await load.pause();
        await timeUntilQuiet(deployment, 60_000);
      }
      held += (await killInWork(siege, worker, isLast ? FEW : BACKLOG)) ? 1 : 0;
      killedAt = performance.now();
      run.say(`kill ${n + 1} of ${kills}, ${held} of them held lanes`);
      if (!isLast) {
        await sleep(run.chance.between(300, 1000));
        await worker.start();
      }
    }
    const took = await timeUntilQuiet(deployment, 6 * leaseMs);
    const doneMs = took === null ? null : Math.round(performance.now() - killedAt);
    const complaints =
      doneMs === null || doneMs > 2 * leaseMs
        ? [`all was done ${doneMs ?? 'not even 6 leases'} ms after the last kill, not within ${2 * leaseMs}`]
        : [];
    return conclude(siege, {
      complaints,
      bites: { 'kills of a worker that held a lane': held },
      figures: { kills, 'held lanes': held, 'done in ms': doneMs ?? 'never', 'of ms': 2 * leaseMs },
    });
  },
};

const BACKLOG = 100;
const FEW = 40;
const TRIES = 10;

export async function heldBy(deployment: Deployment, nodeId: string): Promise<number> {
  const [row] = await deployment.ask(`select count(*)::int as n from lanes where holder like $1 || '-%'`, [nodeId]);
  return row.n;
}

/** Gives the workers a backlog. */
export async function makeBusy({ deployment, load }: Siege, documents = BACKLOG): Promise<void> {
  await setRuntime(deployment, 'pause');
  load.burst(documents);
  await until(() => load.inFlight === 0, 10_000);
  const before = await processedOf(deployment);
  await setRuntime(deployment, 'resume');
  await until(async () => (await processedOf(deployment)) > before, 10_000, 1);
}

/** True when it held a lane at its death. Otherwise it is started and killed again, a few times. */
async function killInWork(siege: Siege, worker: Node, documents: number): Promise<boolean> {
  const { deployment } = siege;
  for (let n = 0; n < TRIES; n++) {
    const nodeId = await nodeIdOf(deployment, worker);
    await makeBusy(siege, documents);
    await until(async () => (await heldBy(deployment, nodeId)) > 0, 2000, 1);
    await worker.kill();
    if ((await heldBy(deployment, nodeId)) > 0) return true;
    if (n < TRIES - 1) await worker.start();
  }
  return false;
}
