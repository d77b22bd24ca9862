/** 8: the clock of Postgres and of the service an hour forward, and back. Nothing expires early, nothing is doubled or stuck. */
import { setRuntime } from '../deployment.ts';
import { Clock } from '../faults/clock.ts';
import { newFolder } from '../folder.ts';
import { call } from '../http.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

const HOUR_S = 3600;
const REPLAYS = 30;
const SEEN_S = 1800;

export const clock: Scenario = {
  number: 8,
  name: 'clock',
  what: 'the clock an hour forward and back',
  backends: ['postgres', 'redis'],
  processes: [1, 4],
  async run(run: Run) {
    const moved = new Clock(newFolder('clock'));
    const siege = await besiege(
      run,
      { settings: { LANE_LEASE_MS: '2000' }, env: moved.env, postgres: { env: moved.env } },
      { perSecond: 60 },
    );
    const { deployment, follower } = siege;
    const complaints: string[] = [];
    let seen = 0;
    let forgotten = 0;
    const jumps = scaled(run, 10);
    for (let n = 0; n < jumps; n++)
      for (const seconds of [HOUR_S, 0]) {
        await sleep(2000);
        // With documents waiting and in work.
        await setRuntime(deployment, 'pause');
        siege.load.burst(60);
        await until(() => siege.load.inFlight < 5, 10_000);
        moved.jumpTo(seconds);
        if (await hasJumped(siege, seconds)) seen++;
        await setRuntime(deployment, 'resume');
        forgotten += await replay(siege);
        run.say(`the clock is ${seconds} s ahead`);
      }
    await sleep(2000);
    if (forgotten > 0) complaints.push(`${forgotten} idempotency keys were forgotten`);
    const cuts = follower.cuts;
    if (cuts > 0) complaints.push(`the stream was cut ${cuts} times`);
    const [row] = await deployment.ask('select count(*)::int as n from documents where attempts > 1');
    return conclude(
      siege,
      {
        complaints,
        bites: { 'jumps that Postgres and the service have seen': seen },
        figures: { jumps: 2 * jumps, 'keys forgotten': forgotten, 'taken more than once': row.n },
      },
      30_000,
    );
  },
};

async function hasJumped({ deployment }: Siege, seconds: number): Promise<boolean> {
  const isThere = (time: number) => Math.abs(time - Date.now() - seconds * 1000) < SEEN_S * 1000;
  return until(async () => {
    const [row] = await deployment.ask('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
    const { headers } = await call(`${deployment.urls()[0]}/api/health`);
    return isThere(row.ms) && isThere(Date.parse(`${headers.date}`));
  }, 10_000);
}

/** Sends some again that were accepted long before; how many had another answer. */
async function replay({ deployment, journal, run }: Siege): Promise<number> {
  const done = journal.entries.filter((entry) => entry.key !== null && entry.accepted);
  let wrong = 0;
  for (let n = 0; n < REPLAYS; n++) {
    const { tenant, scopeId, name, statement, documentId, key, accepted } = run.chance.pick(done);
    const body = { scope_id: scopeId, name, text: statement.text, document_id: documentId, idempotency_key: key };
    const answer = await call(`${deployment.urls()[0]}/api/ingest`, { headers: { 'x-tenant-id': tenant.id }, body });
    const isReplay = answer.headers['idempotency-replayed'] === 'true' && answer.body.seq === accepted?.seq;
    if (!isReplay) wrong++;
  }
  return wrong;
}
