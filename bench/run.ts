/** npm run bench -- NAME: the benchmarks by name. */
import { toldUsage } from '../src/cli/usage.ts';

const benches: Record<string, () => Promise<unknown>> = {
  accept: () => import('./accept/bench.ts'),
  events: () => import('./events/bench.ts'),
  pipeline: () => import('./pipeline/bench.ts'),
  process: () => import('./process/bench.ts'),
};

const USAGE = `usage: npm run bench -- ${Object.keys(benches).join('|')}
  Measures on this machine, holds what it measured against the targets, and writes it to bench/results.`;

const name = process.argv[2] ?? '';
const bench = benches[name];
if (toldUsage(USAGE)) process.exitCode = 0;
else if (bench) await bench();
else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 1;
}
