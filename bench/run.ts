/** npm run bench -- NAME: the benchmarks by name. */
import { toldUsage } from '../src/cli/usage.ts';
import { FIGURES_USAGE, listOf, type Options, readOptions } from './figures/options.ts';

const plain: Record<string, () => Promise<unknown>> = {
  events: () => import('./events/bench.ts'),
  pipeline: () => import('./pipeline/bench.ts'),
};
const withFigures = {
  accept: async (options: Options) => (await import('./accept/bench.ts')).run(options),
  process: async (options: Options) => (await import('./process/bench.ts')).run(options),
  follow: async (options: Options) => (await import('./follow/bench.ts')).run(options),
  read: async (options: Options) => (await import('./read/bench.ts')).run(options),
  bulk: async (options: Options) => (await import('./bulk/bench.ts')).run(options),
};
type WithFigures = keyof typeof withFigures;

const USAGE = `usage: npm run bench -- accept|process|read|follow|bulk [--quick] [--long] [--runs N] [--write] [figure …]
       npm run bench -- events|pipeline [--quick]
  Measures on this machine and holds what it measured against the targets; everything, or the figures that are named.
  Without --quick, the older figures, events and pipeline write what they found to bench/results.
${FIGURES_USAGE}figures:
${listOf('process')}${listOf('accept')}${listOf('read')}${listOf('follow')}${listOf('bulk')}`;

function refuse(why: string): void {
  process.stderr.write(`${why}${USAGE}\n`);
  process.exitCode = 1;
}

/** Read by whatever has sizes, in this process and in those that it starts. */
function beQuick(): void {
  process.env.BENCH_QUICK = 'true';
}

async function bench(name = '', args: string[]): Promise<void> {
  if (Object.hasOwn(plain, name)) {
    if (args.some((arg) => arg !== '--quick')) return refuse(`bench: '${name}' takes nothing but --quick\n`);
    if (args.length > 0) beQuick();
    await plain[name]?.();
    return;
  }
  if (!Object.hasOwn(withFigures, name)) return refuse('');
  let options: Options;
  try {
    options = readOptions(name as WithFigures, args);
  } catch (error) {
    return refuse(`bench: ${(error as Error).message}\n`);
  }
  if (options.quick) beQuick();
  await withFigures[name as WithFigures](options);
}

if (!toldUsage(USAGE)) await bench(process.argv[2], process.argv.slice(3));
