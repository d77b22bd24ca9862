/** What the queue holds, in bytes, when few documents wait in its lanes and when very many do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SLOTS } from '../../src/queue/contract.ts';
import { openLaneQueue } from '../../src/queue/lane-queue.ts';
import { amount, type Row, row, say } from '../parts/report.ts';
import { emptyRedis, query, type Stores, withRedis } from '../parts/stores.ts';
import { FEW } from './sizes.ts';
import type { Stored } from './stored.ts';

export async function measureMemory(stores: Stores, { few, many, waiting }: Stored) {
  const rows: Row[] = [];
  const bytes: Record<string, number[]> = {};
  for (const backend of stores.redisUrl ? ['Redis', 'Postgres'] : ['Postgres']) {
    const redisUrl = backend === 'Redis' ? stores.redisUrl : '';
    const [atFew, atMany] = [await fillQueue(few, redisUrl), await fillQueue(many, redisUrl)];
    bytes[backend] = [atFew, atMany];
    say(`queue on ${backend}: ${amount(atFew)} bytes, and ${amount(atMany)} bytes`);
    const what = `queue memory at a backlog of ${amount(waiting)} / of ${amount(FEW)} documents, on ${backend}`;
    rows.push(row(what, atMany / atFew, '≤', 1.1));
  }
  return { rows, queueBytes: bytes };
}

/** As many nudges as there can be, through the real queue, with nobody there who comes for them. */
async function fillQueue(databaseUrl: string, redisServer: string): Promise<number> {
  const redisUrl = redisServer && (await emptyRedis(redisServer, 0));
  const fail = (error: Error) => {
    throw error;
  };
  const queue = await openLaneQueue({ redisUrl: redisUrl || undefined, databaseUrl, onError: fail });
  // Its connection is being made, and until then it fails at once.
  while (!(await queue.isUp())) await sleep(10);
  queue.nudge(SLOTS);
  while ((await queue.waiting()) < SLOTS) await sleep(10);
  const bytes = redisUrl ? await bytesInRedis(redisUrl) : await bytesInPostgres(databaseUrl);
  await queue.close();
  return bytes;
}

/** Of the keys themselves: what Redis needs for itself would hide a growth. */
function bytesInRedis(url: string): Promise<number> {
  return withRedis(url, async (redis) => {
    let sum = 0;
    for (const key of await redis.keys('*')) sum += Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
    return sum;
  });
}

async function bytesInPostgres(url: string): Promise<number> {
  const [row] = await query(
    url,
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname = 'bullmq' and relkind = 'r'`,
  );
  return row.bytes;
}
