/** What streams cost, as ratios measured side by side in one run. */
import { endChild, startChild } from '../parts/child.ts';
import { runBench } from '../parts/ending.ts';
import { closedLoop } from '../parts/generator.ts';
import { report } from '../parts/report.ts';
import { type Stores, startStores } from '../parts/stores.ts';
import { measureAccepting } from './accepting.ts';
import { measureDelivery } from './delivery.ts';
import { measureMemory } from './memory.ts';
import { startNode } from './node.ts';
import { QUICK } from './sizes.ts';
import { COUNTING } from './statements.ts';

const WARM_UP_S = 2;

async function main(): Promise<void> {
  const stores = await startStores([COUNTING]);

  const fresh = await start(stores, 'idle');
  const memory = await measureMemory(fresh.node, fresh.reader);
  await endChild(fresh.reader);
  await fresh.node.end();

  const { node, reader } = await start(stores, 'events');
  await closedLoop(node.port, node.tenants, WARM_UP_S);
  const delivery = await measureDelivery(stores, node, reader);
  const accepting = await measureAccepting(node, reader);

  report('events', {
    rows: [delivery, accepting, memory].flatMap(({ rows }) => rows),
    generatorCpu: Math.max(delivery.generatorCpu, accepting.generatorCpu),
    failed: delivery.failed + accepting.failed,
    quick: QUICK,
    measured: {
      delivery: delivery.delivery,
      perSecond: accepting.perSecond,
      serviceMicrosEach: accepting.serviceMicrosEach,
      memoryMb: memory.memoryMb,
    },
  });
}

/** A node, and who reads its streams. */
async function start(stores: Stores, what: string) {
  const node = await startNode(stores, what);
  const args = [`${node.port}`, ...node.tenants];
  const { child: reader } = await startChild(new URL('reader.ts', import.meta.url), { args });
  return { node, reader };
}

await runBench(main);
