/** npm run bench -- NAME: the benchmarks by name. */
const benches: Record<string, () => Promise<unknown>> = {
  accept: () => import('./accept/bench.ts'),
  events: () => import('./events/bench.ts'),
  pipeline: () => import('./pipeline/bench.ts'),
  process: () => import('./process/bench.ts'),
};

const name = process.argv[2] ?? '';
const bench = benches[name];
if (bench) await bench();
else {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(benches).join('|')}\n`);
  process.exitCode = 1;
}
