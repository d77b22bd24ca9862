/** 3: Postgres stopped hard, and all of its backends ended again and again. Answers are 202 or 503, and 202 holds. */
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { endPostmaster } from '../stores/postgres.ts';
import { sleep, until } from '../waiting.ts';

/** From the fault to the next document that is accepted. */
const SERVING_MS = 10_000;
const TERMINATE_EVERY_MS = 2000;
/** No answer takes so long while Postgres is there, and it is away for longer. */
const HELD_UP_MS = 200;

export const postgresDown: Scenario = {
  number: 3,
  name: 'postgres-down',
  what: 'Postgres stopped hard; all backends ended every 2 s',
  backends: ['postgres', 'redis'],
  processes: [1, 4],
  async run(run: Run) {
    const siege = await besiege(run, { settings: { LANE_LEASE_MS: '2000' } }, { changing: true });
    const { journal } = siege;
    const stops = scaled(run, 10, 2);
    const complaints: string[] = [];
    let slowest = 0;
    let bitten = Number.POSITIVE_INFINITY;
    for (let n = 0; n < stops; n++) {
      await sleep(run.chance.between(800, 2000));
      const from = performance.now();
      await stopHard(siege);
      const back = await servingAgain(siege, from);
      // What was in flight is settled when Postgres is back: hardly anybody is refused any more.
      const felt = journal.sent.filter(
        ({ at, ms, status }) => at + ms > from && (status === 503 || ms > HELD_UP_MS),
      ).length;
      bitten = Math.min(bitten, felt);
      if (back === null) complaints.push(`it did not serve within ${3 * SERVING_MS} ms of stop ${n + 1}`);
      else slowest = Math.max(slowest, back);
      run.say(`stop ${n + 1} of ${stops}, serving again after ${back} ms`);
    }
    const { ended, rounds } = await endBackends(siege, scaled(run, 60_000, 6000));
    const back = await servingAgain(siege);
    slowest = Math.max(slowest, back ?? Number.POSITIVE_INFINITY);
    if (slowest > SERVING_MS) complaints.push(`it served again only after ${slowest} ms`);
    // Nobody killed the service: a request without any answer is its own doing.
    if (journal.count(null) > 0) complaints.push(`${journal.count(null)} requests had no answer at all`);
    return conclude(siege, {
      complaints,
      bites: { 'held up or refused': bitten, 'backends ended': ended },
      figures: { stops, 'backends ended': ended, rounds, 'serving in ms': slowest },
    });
  },
};

/**
 * As `pg_ctl stop -m immediate` does, which waits for nothing and saves nothing. Until it is gone it may still accept: what
 * is accepted after that shows that it is back.
 */
export async function stopHard({ deployment, load }: Siege): Promise<void> {
  if (!deployment.postgres.pid()) throw new Error('there is no Postgres to stop');
  while (load.inFlight === 0) await sleep(1);
  await endPostmaster(deployment.postgres);
}

/** How long after the fault something is accepted that was sent after this moment. */
async function servingAgain({ journal }: Siege, from = performance.now()): Promise<number | null> {
  const since = performance.now();
  const isBack = () => journal.sent.some(({ at, status }) => status === 202 && at > since);
  return (await until(isBack, 3 * SERVING_MS, 20)) ? Math.round(performance.now() - from) : null;
}

/** Ends the connections of the service, all of them, for so long. */
export async function endBackends({ deployment, run }: Siege, forMs: number, everyMs = TERMINATE_EVERY_MS) {
  let ended = 0;
  let rounds = 0;
  for (const until = performance.now() + forMs; performance.now() < until; rounds++) {
    const rows = await deployment
      .ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      .catch(() => []);
    ended += rows.length;
    await sleep(everyMs * run.chance.between(0.8, 1.2));
  }
  return { ended, rounds };
}
