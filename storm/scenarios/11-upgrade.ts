/**
 * 11: an upgrade under load. This release migrates the database under replicas of the release before, which go on beside it, are
 * killed and started again, and are then replaced one by one. All of them take documents and work them off meanwhile.
 */
import { RULES } from '../../src/pipeline/claim.ts';
import type { Deployment } from '../deployment.ts';
import { type Answer, call } from '../http.ts';
import type { Node } from '../node.ts';
import { copyOfPrevious } from '../previous.ts';
import { besiege, conclude, type Run, type Scenario, scaled } from '../siege.ts';
import { sleep, until } from '../waiting.ts';

const LEASE_MS = 2000;
const END_MS = 15_000;
/** What the older rules have read is read again behind new work, by this release alone. */
const REREAD_MS = 90_000;

export const upgrade: Scenario = {
  number: 11,
  name: 'upgrade',
  what: 'the release before and this one beside each other, then this one alone',
  backends: ['postgres', 'redis'],
  processes: [4],
  async run(run: Run) {
    const previous = copyOfPrevious();
    const settings = { LANE_LEASE_MS: `${LEASE_MS}` };
    const siege = await besiege(run, { source: previous, roles: ['all', 'all'], settings }, { changing: true });
    const { deployment, load, journal } = siege;
    const old = [...deployment.nodes];
    const complaints: string[] = [];
    await sleep(1500);
    await until(() => load.inFlight > 0, 5000, 1);
    const inFlight = load.inFlight;
    const migrating = performance.now();
    await deployment.add('all', run.source);
    const migrated = performance.now();
    run.say(`this release has migrated and answers, after ${Math.round(migrated - migrating)} ms`);
    complaints.push(...(await readEverywhere(deployment)));

    const kills = scaled(run, 10, 2);
    const restarted = new Set<Node>();
    for (let n = 0; n < kills; n++) {
      await sleep(run.chance.between(500, 1500));
      const node = run.chance.pick(old);
      await node.restart(run.chance.between(0, 300));
      restarted.add(node);
      run.say(`one of the release before was killed, and has started beside this one: ${n + 1} of ${kills}`);
    }
    complaints.push(...(await readEverywhere(deployment)));
    await sleep(1000);
    const processed = await processedBy(deployment, restarted);

    await deployment.add('all', run.source);
    for (const node of old) {
      deployment.retire(node);
      const { code, ms } = await node.end(END_MS);
      if (code !== 0) complaints.push(`one of the release before ended with ${code} after ${ms} ms`);
    }
    run.say('this release is everywhere');
    await sleep(1000);
    await load.pause();
    if (!(await until(() => isReadAgain(deployment), REREAD_MS, 200)))
      complaints.push('not all that the release before has read was read again');
    const isOld = new Set(old.map(({ url }) => url));
    const beside = journal.sent.filter((sent) => sent.status === 202 && isOld.has(sent.url) && sent.at > migrated);
    const during = journal.latencies(migrating, migrated);
    return conclude(siege, {
      complaints,
      bites: {
        'requests in flight at the migration': inFlight,
        'accepted by the release before, beside this one': beside.length,
        'processed by the release before, beside this one': processed,
        'kills of the release before': kills,
      },
      figures: {
        kills,
        'accepted beside': beside.length,
        'processed beside': processed,
        'slowest during the migration in ms': Math.round(during.at(-1) ?? 0),
        'cut off': journal.cutOff,
      },
    });
  },
};

/** Of a tenant, with its key and an operator's. */
const READS = [
  '/api/health',
  '/api/scopes/scope-0/summary',
  '/api/scopes/scope-0/facts',
  '/api/contradictions?scope_id=scope-0',
  '/api/scopes/scope-0/documents',
  '/admin/scopes',
  '/admin/scopes/scope-0/documents',
  '/admin/control-plane/health',
];

/** Each replica is asked for what it has; 503 may pass, and nothing else but 200 is an answer. */
async function readEverywhere({ nodes, admin, tenants }: Deployment): Promise<string[]> {
  const headers = { authorization: `Bearer ${admin}`, 'x-tenant-api-key': `${tenants[0]?.key}` };
  const odd: string[] = [];
  for (const node of nodes.filter(({ isRunning }) => isRunning))
    for (const path of READS) {
      let answer: Answer | null = null;
      const isAnswered = async () => {
        answer = await call(node.url + path, { headers });
        return answer.status !== 503;
      };
      await until(isAnswered, 10_000, 200);
      const { status, body } = (answer ?? { status: null, body: null }) as { status: number | null; body: unknown };
      if (status !== 200) odd.push(`${path} of a replica is ${status}: ${JSON.stringify(body)?.slice(0, 200)}`);
    }
  return odd;
}

/** Each counts from its last start on. */
async function processedBy({ internals }: Deployment, nodes: Iterable<Node>): Promise<number> {
  let sum = 0;
  for (const { url } of nodes) {
    const { body } = await call(`${url}/internals/metrics`, { headers: { authorization: `Bearer ${internals}` } });
    sum += Number(/^docket_documents_total\{outcome="processed"\} (\d+)$/m.exec(`${body}`)?.[1] ?? 0);
  }
  return sum;
}

async function isReadAgain({ ask }: Deployment): Promise<boolean> {
  const [row] = await ask('select count(*)::int as older from scopes where rules < $1', [RULES]);
  return row.older === 0;
}
