/** 5: a worker frozen for three leases in the middle of its work, then thawed. What it had in hand it may not write. */
import { type Deployment, nodeIdOf, setRuntime } from '../deployment.ts';
import { call } from '../http.ts';
import type { Node } from '../node.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { LONG_READING } from '../texts.ts';
import { sleep, until } from '../waiting.ts';
import { heldBy, LONG_PER_SECOND, makeBusy } from './02-kill-worker.ts';

const TRIES = 20;
const FREEZES = 10;

export const freezeWorker: Scenario = {
  number: 5,
  name: 'freeze-worker',
  what: 'a worker frozen for 3 leases, then thawed',
  backends: ['postgres', 'redis'],
  processes: [4],
  async run(run: Run) {
    const leaseMs = run.long ? 15_000 : 2000;
    const settings = { LANE_LEASE_MS: `${leaseMs}`, DB_TIMEOUT_MS: '5000' };
    // Long to read, so that a worker has a lane in hand most of the time.
    const siege = await besiege(
      run,
      { settings },
      { filler: LONG_READING, perSecond: run.long ? LONG_PER_SECOND : 60, changing: true },
    );
    const { deployment, load } = siege;
    const freezes = scaled(run, FREEZES);
    let frozen = 0;
    let refused = 0;
    for (let n = 0; n < freezes; n++) {
      const worker = run.chance.pick(deployment.workers);
      const before = await lostBatches(deployment, worker);
      if (!(await freezeInWork(siege, worker))) continue;
      frozen++;
      run.say('frozen');
      await sleep(3 * leaseMs);
      // Its lanes are to be there when it thaws, with other work in them: that is when a stale write would do most harm.
      await setRuntime(deployment, 'pause');
      load.burst(60);
      await until(() => load.inFlight < 10, 5000);
      worker.signal('SIGCONT');
      // It finds that its lease is gone.
      await until(async () => (await lostBatches(deployment, worker)) > before, 10_000);
      await setRuntime(deployment, 'resume');
      refused += (await lostBatches(deployment, worker)) - before;
      run.say(`freeze ${n + 1} of ${freezes}, ${refused} stale batches refused`);
    }
    const outcome = await conclude(siege, {
      bites: { 'workers frozen with a lane': frozen, 'stale batches that tried to be written': refused },
      figures: { freezes, 'stale batches refused': refused },
    });
    const { events, claims, contradictions, counters } = outcome.verdict.counts;
    outcome.figures['stale writes'] = events + claims + contradictions + counters;
    return outcome;
  },
};

/** Of batches that came to nothing because their lease was gone. */
export async function lostBatches({ internals }: Deployment, node: Node): Promise<number> {
  const { body } = await call(`${node.url}/internals/metrics`, { headers: { authorization: `Bearer ${internals}` } });
  return Number(/docket_batches_total\{outcome="lost"\} (\d+)/.exec(body)?.[1] ?? 0);
}

/** True when it holds a lane; otherwise it is thawed and frozen again, a few times. */
async function freezeInWork(siege: Siege, worker: Node): Promise<boolean> {
  const { deployment } = siege;
  const nodeId = await nodeIdOf(deployment, worker);
  for (let n = 0; n < TRIES; n++) {
    await makeBusy(siege);
    await until(async () => (await heldBy(deployment, nodeId)) > 0, 5000, 1);
    worker.signal('SIGSTOP');
    // What it had sent already may still be settled.
    await sleep(100);
    if ((await heldBy(deployment, nodeId)) > 0) return true;
    worker.signal('SIGCONT');
  }
  return false;
}
