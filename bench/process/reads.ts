/** Whether asking about a scope takes longer when it holds more. */
import { Agent, get } from 'node:http';
import { amount, median, row, say } from '../parts/report.ts';
import { emptyRedis, query, type Stores } from '../parts/stores.ts';
import { ServiceNode } from './node.ts';
import { READS } from './sizes.ts';
import { LARGE, SMALL, type Stored } from './stored.ts';

const WARM_UP = 50;

/** Just below what has autovacuum look at a table, so that it cannot come in between: a tenth. */
const DONE = 0.09;

export async function measureReads({ redisUrl }: Stores, { many, tenant }: Stored) {
  await processSome(many);
  const node = await ServiceNode.start({
    databaseUrl: many,
    redisUrl: redisUrl && (await emptyRedis(redisUrl, 0)),
    pipeline: 'stages',
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies: Record<string, number[]> = {
    'summary small': [],
    'summary large': [],
    'metrics small': [],
    'metrics large': [],
  };
  for (let i = -WARM_UP; i < READS; i++) {
    for (const route of ['summary', 'metrics']) {
      for (const [size, { scope_id }] of Object.entries({ small: SMALL, large: LARGE })) {
        const path = `/admin/scopes/${scope_id}/${route}`;
        const ms = await timeOf(agent, node.url + path, node.headers(path, tenant));
        if (i >= 0) latencies[`${route} ${size}`]?.push(ms);
      }
    }
  }
  agent.destroy();
  await node.end();
  const ms = (name: string) => median(latencies[name] as number[]);
  const ratios = ['summary', 'metrics'].map((route) => {
    const [small, large] = [ms(`${route} small`), ms(`${route} large`)];
    say(`${route}: ${small.toFixed(2)} ms, and ${large.toFixed(2)} ms in a scope of ${amount(LARGE.documents)}`);
    return large / small;
  });
  const what = `summary and metrics with ${amount(LARGE.documents)} in the scope / with ${amount(SMALL.documents)}`;
  const readMs = Object.fromEntries(Object.keys(latencies).map((name) => [name, Math.round(ms(name) * 100) / 100]));
  return { rows: [row(what, Math.max(...ratios), '≤', 1.5)], readMs };
}

/** As if the first documents of every scope had been processed since the tables were last vacuumed and analysed. */
async function processSome(url: string): Promise<void> {
  await query(
    url,
    `update documents d set state = 'processed', finished_at = now()
       from scopes s where s.scope_key = d.scope_key and d.seq < ${DONE} * s.next_seq`,
  );
  await query(
    url,
    `update scopes set queued = queued - n, processed = n, queued_from = n
       from (select scope_key, ceil(${DONE} * next_seq) as n from scopes) done where done.scope_key = scopes.scope_key`,
  );
}

/** Of one request over a connection that is there, until the last byte. */
function timeOf(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - began));
    });
    request.once('error', reject);
  });
}
