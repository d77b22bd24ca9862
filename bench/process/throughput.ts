/** How fast documents go through when nothing is done with them: lanes beside one BullMQ job a document. */
import { ask, endChild } from '../parts/child.ts';
import { makePlain } from '../parts/documents.ts';
import { evenly, fill } from '../parts/fill.ts';
import { aside, median, type Row, row, say } from '../parts/report.ts';
import { cloneDatabase, dropDatabase, emptyRedis, newDatabase, query, type Stores } from '../parts/stores.ts';
import type { Work } from './jobs.ts';
import { ServiceNode } from './node.ts';
import { fillObvious, startJobs } from './obvious.ts';
import { perSecond } from './rate.ts';
import { JOBS, PLAIN, ROUNDS, SLICE_S, SPARSE } from './sizes.ts';

const TENANTS = 10;
const SCOPES = 100;

interface Templates {
  lanes: string;
  /** With one document in each scope. */
  sparse: string;
  /** With the jobs of BullMQ's Postgres backend. */
  jobs: string;
}

export async function measureThroughput(stores: Stores): Promise<{ rows: Row[]; perSecond: Record<string, number[]> }> {
  const templates = await makeTemplates(stores);
  const backends = stores.redisUrl ? ['Redis', 'Postgres'] : ['Postgres'];
  const rates: Record<string, number[]> = {};
  for (let round = 1; round <= ROUNDS; round++) {
    for (const backend of backends) {
      const redisUrl = backend === 'Redis' ? stores.redisUrl : '';
      const contenders = {
        lanes: () => runLanes(templates.lanes, redisUrl, PLAIN),
        'sparse lanes': () => runLanes(templates.sparse, redisUrl, SPARSE),
        'one job a document': () => runJobs(templates.jobs, redisUrl, 'document'),
        'bare jobs': () => runJobs(templates.jobs, redisUrl, 'nothing'),
      };
      for (const [name, run] of Object.entries(contenders)) {
        const rate = await run();
        const what = `${name} on ${backend}`;
        rates[what] = [...(rates[what] ?? []), Math.round(rate)];
        say(`round ${round}: ${what.padEnd(30)} ${rate.toFixed(0).padStart(6)}/s`);
      }
    }
  }
  for (const url of Object.values(templates)) await dropDatabase(url);

  const rate = (what: string) => median(rates[what] as number[]);
  const targets: Record<string, number> = { Redis: 2.5, Postgres: 8 };
  const rows = backends.flatMap((backend) => {
    const lanes = rate(`lanes on ${backend}`);
    const jobs = rate(`one job a document on ${backend}`);
    return [
      row(`no-op pipeline: lanes / one job a document, on ${backend}`, lanes / jobs, '≥', targets[backend] as number),
      aside(`  the same with one document a scope, on ${backend}`, rate(`sparse lanes on ${backend}`) / jobs),
      aside(`  lanes / bare jobs that touch no document, on ${backend}`, lanes / rate(`bare jobs on ${backend}`)),
    ];
  });
  return { rows, perSecond: rates };
}

async function makeTemplates({ postgresUrl }: Stores): Promise<Templates> {
  const contents = makePlain(2000);
  const newBacklog = async (what: string, scopes: number, documents: number) => {
    const { url, tenants } = await newDatabase(postgresUrl, what, TENANTS);
    const ids = tenants.map(({ id }) => id);
    await fill(url, { scopes: evenly(ids, scopes / TENANTS, documents), contents });
    return url;
  };
  const lanes = await newBacklog('lanes template', SCOPES, PLAIN);
  const sparse = await newBacklog('sparse template', SPARSE, SPARSE);

  const jobs = await newDatabase(postgresUrl, 'jobs template', 0);
  await fillObvious(jobs.url, contents, JOBS);
  const { child } = await startJobs(jobs.url, '', 'document');
  await ask(child, `add ${JOBS}`);
  await endChild(child);
  await query(jobs.url, 'vacuum analyze');
  return { lanes, sparse, jobs: jobs.url };
}

/** From the moment the runtime is resumed on a service that is up. */
async function runLanes(template: string, redisUrl: string, total: number): Promise<number> {
  const databaseUrl = await cloneDatabase(template, 'lanes');
  const node = await ServiceNode.start({
    databaseUrl,
    redisUrl: redisUrl && (await emptyRedis(redisUrl, 0)),
    pipeline: 'no-op',
  });
  await node.control('resume');
  const rate = await perSecond({ done: () => node.processed(), total, longestS: SLICE_S });
  await node.end();
  return rate;
}

/** The jobs were added before. */
async function runJobs(template: string, redisUrl: string, work: Work): Promise<number> {
  const databaseUrl = await cloneDatabase(template, 'jobs');
  const { child } = await startJobs(databaseUrl, redisUrl && (await emptyRedis(redisUrl, 1)), work);
  if (redisUrl) await ask(child, `add ${JOBS}`);
  await ask(child, 'run');
  const done = async () => (await ask<{ done: number }>(child, 'done')).done;
  const rate = await perSecond({ done, total: JOBS, longestS: SLICE_S });
  await endChild(child);
  return rate;
}
