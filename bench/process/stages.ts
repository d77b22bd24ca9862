/** How much of what the stages can do is left when documents come from the database and go back to it. */
import { ask, endChild, startChild } from '../parts/child.ts';
import { median, row, say } from '../parts/report.ts';
import { cloneDatabase, emptyRedis, type Stores } from '../parts/stores.ts';
import type { Deep } from './deep.ts';
import { ServiceNode } from './node.ts';
import { perSecond } from './rate.ts';
import { DEEP, ROUNDS, SLICE_S } from './sizes.ts';

export async function measureStages(stores: Stores, deep: Deep) {
  const rates: Record<string, number[]> = { service: [], alone: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, run] of [['service', () => runService(stores, deep)] as const, ['alone', runAlone] as const]) {
      const rate = await run();
      rates[name]?.push(Math.round(rate));
      say(`round ${round}: ${`real stages, ${name}`.padEnd(30)} ${rate.toFixed(0).padStart(6)}/s`);
    }
  }
  const share = median(rates.service as number[]) / median(rates.alone as number[]);
  const rows = [row('documents/s with the real stages / the stages alone on the same threads', share, '≥', 0.8)];
  return { rows, perSecond: { 'real stages': rates.service, 'the stages alone': rates.alone } };
}

async function runService({ redisUrl }: Stores, deep: Deep): Promise<number> {
  const node = await ServiceNode.start({
    databaseUrl: await cloneDatabase(deep.url, 'deep'),
    redisUrl: redisUrl && (await emptyRedis(redisUrl, 0)),
    pipeline: 'stages',
    // All of it is one tenant's.
    settings: { TENANT_LANES: '1000' },
  });
  await node.control('resume');
  const rate = await perSecond({ done: () => node.processed(), total: DEEP, longestS: SLICE_S });
  await node.end();
  return rate;
}

async function runAlone(): Promise<number> {
  const { child } = await startChild(new URL('stages-alone.ts', import.meta.url));
  const done = async () => (await ask<{ done: number }>(child, 'done')).done;
  const rate = await perSecond({ done, total: Number.POSITIVE_INFINITY, longestS: SLICE_S });
  await endChild(child);
  return rate;
}
