/** Whether those who post notice that the service is busy processing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop, openLoop } from '../parts/generator.ts';
import { amount, median, percent, row, say } from '../parts/report.ts';
import { cloneDatabase, emptyRedis, type Stores } from '../parts/stores.ts';
import type { Deep } from './deep.ts';
import { ServiceNode } from './node.ts';
import { OPEN_LOOP_S, ROUNDS } from './sizes.ts';

/** Of what it accepts when it does nothing else: a moderate rate, since processing needs the machine too. */
const LOAD = 0.35;
const CAPACITY_S = 4;
const GET_BUSY_MS = 1000;

export async function measureAccepting(stores: Stores, deep: Deep) {
  const tenants = deep.others.map(({ id }) => id);
  const p99: Record<string, number[]> = { paused: [], saturated: [] };
  let [steady, generatorCpu, failed] = [0, 0, 0];
  for (let round = 1; round <= ROUNDS; round++) {
    const node = await startNode(stores, deep);
    steady ||= LOAD * (await closedLoop(node.port, tenants, CAPACITY_S)).perSecond;
    for (const state of ['paused', 'saturated']) {
      if (state === 'saturated') {
        await node.control('resume');
        await sleep(GET_BUSY_MS);
      }
      const before = await node.processed();
      const load = await openLoop(node.port, tenants, steady, OPEN_LOOP_S);
      const processed = (await node.processed()) - before;
      p99[state]?.push(load.p99);
      generatorCpu = Math.max(generatorCpu, load.generatorCpu);
      failed += load.failed;
      say(
        `round ${round}: ${`accepting, ${state}`.padEnd(30)} p99 ${load.p99.toFixed(1)} ms, p50 ${load.p50.toFixed(1)} ms at ${steady.toFixed(0)}/s, ` +
          `${amount(processed)} processed meanwhile, generator ${percent(load.generatorCpu)}`,
      );
    }
    if ((await node.backlog()) === 0) throw new Error('the backlog ran out, so processing was not saturated');
    await node.end();
  }
  const ratio = median(p99.saturated as number[]) / median(p99.paused as number[]);
  const rows = [row('p99 of accepting while processing is saturated / with the runtime paused', ratio, '≤', 3)];
  return { rows, generatorCpu, failed, acceptingP99Ms: p99 };
}

async function startNode({ redisUrl }: Stores, deep: Deep): Promise<ServiceNode> {
  return ServiceNode.start({
    databaseUrl: await cloneDatabase(deep.url, 'deep'),
    redisUrl: redisUrl && (await emptyRedis(redisUrl, 0)),
    pipeline: 'stages',
  });
}
