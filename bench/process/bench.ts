/** How fast and how fairly documents are processed, as ratios measured side by side in one run. */
import { measureFigures } from '../figures/main.ts';
import type { Options } from '../figures/options.ts';
import { runBench } from '../parts/ending.ts';
import { report } from '../parts/report.ts';
import { dropDatabase, type Stores } from '../parts/stores.ts';
import { measureAccepting } from './accepting.ts';
import { makeDeep } from './deep.ts';
import { measureMemory } from './memory.ts';
import { measureNeighbour } from './neighbour.ts';
import { measureReads } from './reads.ts';
import { QUICK } from './sizes.ts';
import { measureStages } from './stages.ts';
import { makeStored } from './stored.ts';
import { measureThroughput } from './throughput.ts';

async function measureOlder(stores: Stores): Promise<void> {
  const throughput = await measureThroughput(stores);

  const deep = await makeDeep(stores);
  const stages = await measureStages(stores, deep);
  const accepting = await measureAccepting(stores, deep);
  const neighbour = await measureNeighbour(stores, deep);
  await dropDatabase(deep.url);

  const stored = await makeStored(stores);
  const memory = await measureMemory(stores, stored);
  const reads = await measureReads(stores, stored);

  const { acceptingP99Ms, generatorCpu, failed } = accepting;
  const { lightTenantMs } = neighbour;
  report('process', {
    rows: [throughput, stages, accepting, neighbour, memory, reads].flatMap(({ rows }) => rows),
    generatorCpu,
    failed,
    quick: QUICK,
    measured: {
      perSecond: { ...throughput.perSecond, ...stages.perSecond },
      acceptingP99Ms,
      lightTenantMs,
      queueBytes: memory.queueBytes,
      readMs: reads.readMs,
    },
  });
}

export const run = (options: Options) => runBench(() => measureFigures(options, measureOlder));
