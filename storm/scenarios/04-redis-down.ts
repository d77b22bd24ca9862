/** 4: Redis emptied under load, then gone for a while. Documents are accepted as fast as before, and drained at its return. */
import { quantile } from '../journal.ts';
import { processedOf } from '../oracle/quiet.ts';
import { repeatedly } from '../others.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { sleep, timeUntil } from '../waiting.ts';

const DRAINING_MS = 5000;
const TRIES = 200;

export const redisDown: Scenario = {
  number: 4,
  name: 'redis-down',
  what: 'Redis emptied; then down',
  backends: ['redis'],
  processes: [1, 4],
  async run(run: Run) {
    const siege = await besiege(run);
    const { journal } = siege;
    await sleep(2000);
    const flushes = scaled(run, 10, 2);
    let lost = 0;
    for (let n = 0; n < flushes; n++) {
      lost += await flushNudges(siege);
      await sleep(run.chance.between(300, 1500));
    }
    run.say(`${flushes} times emptied, ${lost} nudges lost`);

    const outages = await repeatedly(() => takeDown(siege));
    const { before, during, waiting, draining } = outages.best;
    const complaints: string[] = [];
    const refused = journal.sent.filter(({ status }) => status !== 202).length;
    if (refused > 0) complaints.push(`${refused} requests were not accepted`);
    if (!outages.isCalm)
      complaints.push(`p99 went from ${before} to ${during} ms, at best in ${outages.rounds} rounds`);
    if (draining === null || draining > DRAINING_MS) complaints.push(`draining began ${draining} ms after its return`);
    return conclude(siege, {
      complaints,
      bites: { 'nudges that were emptied out': lost, 'documents that waited for its return': Math.max(0, waiting) },
      figures: {
        flushes,
        outages: outages.rounds,
        'nudges lost': lost,
        'p99 before ms': Math.round(before),
        'p99 during ms': Math.round(during),
        waited: waiting,
        'draining in ms': draining ?? 'never',
      },
    });
  },
};

/** Gone for a while, and back; with what others saw of it. */
async function takeDown({ run, deployment, journal }: Siege) {
  const began = performance.now();
  await sleep(scaled(run, 60_000, 5000));
  const downAt = performance.now();
  await deployment.redis?.kill();
  await sleep(scaled(run, 60_000, 6000));
  const endAt = performance.now();
  const processed = await processedOf(deployment);
  const waiting = journal.entries.filter((entry) => entry.accepted).length - processed;
  await deployment.redis?.start();
  const draining = await timeUntil(async () => (await processedOf(deployment)) > processed, 60_000, 20);
  run.say(`down and back; ${waiting} had waited, and draining began after ${draining} ms`);
  return {
    before: quantile(journal.latencies(began, downAt), 0.99),
    during: quantile(journal.latencies(downAt, endAt), 0.99),
    waiting,
    draining,
  };
}

/** Empties it at a moment when there are nudges in it. */
async function flushNudges({ deployment, load }: Siege): Promise<number> {
  const { redis } = deployment;
  if (!redis) return 0;
  for (let n = 0; n < TRIES; n++) {
    if (n % 20 === 0) load.burst(20);
    if ((await redis.nudges()) > 0) break;
  }
  return redis.flush();
}
