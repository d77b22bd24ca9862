/** 6: Postgres behind a network that swallows everything, then lets a little through. Nobody waits for ever. */

import { FaultProxy } from '../faults/proxy.ts';
import { call } from '../http.ts';
import { besiege, conclude, type Run, type Scenario, type Siege, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

/** As an operator would set it who wants answers in five seconds. */
const DB_TIMEOUT_MS = 2000;
const HANDLER_TIMEOUT_MS = 5000;
const ANSWER_MS = 5000;
/** For the machine. */
const SLACK_MS = 500;
const POOL = 10;

export const blackhole: Scenario = {
  number: 6,
  name: 'blackhole',
  what: 'Postgres blackholed, then trickling',
  backends: ['postgres', 'redis'],
  processes: [1, 4],
  async run(run: Run) {
    let proxy: FaultProxy | null = null;
    const siege = await besiege(
      run,
      {
        settings: {
          DB_TIMEOUT_MS: `${DB_TIMEOUT_MS}`,
          HANDLER_TIMEOUT_MS: `${HANDLER_TIMEOUT_MS}`,
          DB_POOL_SIZE: `${POOL}`,
          LANE_LEASE_MS: '2000',
        },
        postgres: {
          async urlOf(postgres) {
            proxy = await FaultProxy.start(postgres.port);
            return postgres.urlBy(proxy.port);
          },
        },
      },
      { timeoutMs: 40_000 },
    );
    if (!proxy) throw new Error('there is no proxy');
    const way: FaultProxy = proxy;
    const { deployment, journal } = siege;
    await sleep(2000);
    const before = await connectionsOf(siege);
    const probe = startProbe(siege);

    const struckAt = performance.now();
    way.blackhole();
    await sleep(scaled(run, 30_000, 4000));
    run.say(`${journal.count(503)} answers of 503 so far`);
    way.trickle();
    await sleep(scaled(run, 30_000, 4000));
    way.open();
    const isBack = await until(async () => (await call(`${deployment.urls()[0]}/api/health`)).status === 200, 20_000);
    await until(() => siege.load.inFlight < 20, 20_000);
    probe.stop();
    const endedAt = performance.now();

    const posted = journal.sent.map((sent) => ({ ...sent, path: '/api/ingest' }));
    const answers = [...posted, ...probe.answers].filter(({ at }) => at >= struckAt && at < endedAt);
    const slowest = slowestByPath(answers);
    const silent = answers.filter(({ status }) => status === null).length;
    const refused = answers.filter(({ status }) => status === 503).length;
    const complaints: string[] = [];
    if (!isBack) complaints.push('it is not healthy 20 s after the network is back');
    if (silent > 0) complaints.push(`${silent} requests had no answer at all`);
    for (const { path, ms } of slowest)
      if (ms > ANSWER_MS + SLACK_MS) complaints.push(`the slowest answer of ${path} took ${ms} ms`);
    await siege.load.pause();
    // What is idle is let go after ten seconds; a leak stays.
    const most = before + POOL * deployment.nodes.length;
    await until(async () => (await connectionsOf(siege)) <= before, 20_000, 500);
    const after = await connectionsOf(siege);
    if (after > most) complaints.push(`${after} connections are open, ${before} were before`);
    return conclude(siege, {
      complaints,
      bites: {
        '503s': refused,
        'answers that took longer than a second': answers.filter(({ ms }) => ms > 1000).length,
      },
      figures: {
        'slowest ms': Math.max(...slowest.map(({ ms }) => ms)),
        'connections before': before,
        'connections after': after,
        probes: probe.answers.length,
      },
    });
  },
};

/** Those of the service, as Postgres sees them. */
async function connectionsOf({ deployment }: Siege): Promise<number> {
  const [row] = await deployment.ask(
    `select count(*)::int as n from pg_stat_activity
      where backend_type = 'client backend' and application_name <> 'storm' and datname = 'docket'`,
  );
  return row.n;
}

interface Probed {
  path: string;
  at: number;
  ms: number;
  status: number | null;
}

function slowestByPath(answers: Probed[]): { path: string; ms: number }[] {
  return [...Map.groupBy(answers, ({ path }) => path)].map(([path, all]) => ({
    path,
    ms: Math.round(Math.max(...all.map(({ ms }) => ms))),
  }));
}

/** Reads go on as well, each kind at its own pace. */
function startProbe({ deployment }: Siege) {
  const answers: Probed[] = [];
  const [tenant] = deployment.tenants;
  const paths = ['/api/health', '/admin/scopes', '/api/scopes/scope-0/summary', '/admin/control-plane/health'];
  let stopped = false;
  const ask = async (path: string) => {
    while (!stopped) {
      const at = performance.now();
      const answer = await deployment.asAdmin(path, { ...(tenant && { tenant }), timeoutMs: 40_000 }).catch(() => null);
      answers.push({ path, at, ms: performance.now() - at, status: answer?.status ?? null });
      await sleep(200);
    }
  };
  for (const path of paths) void ask(path);
  return {
    answers,
    stop() {
      stopped = true;
    },
  };
}
