/** How fast documents are read and compared. */
import { runBench } from '../parts/ending.ts';
import { report } from '../parts/report.ts';
import { startStores } from '../parts/stores.ts';
import { measureGrowth } from './growth.ts';
import { measureReading } from './reading.ts';
import { QUICK } from './sizes.ts';

async function main(): Promise<void> {
  const { rows, ...reading } = await measureReading();
  const growth = await measureGrowth(await startStores());
  report('pipeline', {
    rows: [...rows, ...growth.rows],
    generatorCpu: 0,
    failed: 0,
    quick: QUICK,
    measured: { ...reading, msPerDocument: growth.msPerDocument },
  });
}

await runBench(main);
