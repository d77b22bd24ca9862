/** What the command line asks for, of the benches that have figures. */
import { parseArgs } from 'node:util';
import { figures } from './catalogue.ts';
import type { Figure } from './figure.ts';

/** The figures that were there before these, all in one. */
export const OLDER = 'older';
const hasOlder = (bench: Figure['bench']) => bench === 'accept' || bench === 'process';
/** As many as the docs ask for, and some more. */
const MOST_RUNS = 9;

export interface Options {
  quick: boolean;
  write: boolean;
  runs: number;
  figures: Figure[];
  older: boolean;
}

/** Throws when it makes no sense, and says why. */
export function readOptions(bench: Figure['bench'], args: string[]): Options {
  const { values, positionals: names } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      runs: { type: 'string', default: '1' },
    },
  });
  const { quick, long, write } = values;
  const ofBench = figures.filter((figure) => figure.bench === bench);
  const unknown = names.find((name) => name !== OLDER && !ofBench.some((figure) => figure.name === name));
  if (unknown) throw new Error(`'${bench}' has no figure '${unknown}'`);
  if (quick && write) throw new Error('what --quick measures is not for the docs: leave --write out');
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > MOST_RUNS)
    throw new Error(`--runs takes a number from 1 to ${MOST_RUNS}`);
  const chosen =
    names.length > 0
      ? ofBench.filter(({ name }) => names.includes(name))
      : ofBench.filter(({ isLong }) => !isLong || long || quick);
  return { quick, write, runs, figures: chosen, older: names.length === 0 || names.includes(OLDER) };
}

export const FIGURES_USAGE = `  --quick  a short form of everything, to see that it works; its figures say little
  --long   also what takes half an hour, marked with *
  --runs   how often all of it is measured; the table has each
  --write  puts the table into docs/performance.md, merged by figure
`;

const lineOf = (bench: string, name: string, what: string) => `  ${`${bench} ${name}`.padEnd(24)} ${what}\n`;

export function listOf(bench: Figure['bench']): string {
  const lines = figures
    .filter((figure) => figure.bench === bench)
    .map(({ name, rows, isLong }) => lineOf(bench, `${name}${isLong ? ' *' : ''}`, rows[0]?.title as string));
  if (!hasOlder(bench)) return lines.join('');
  return [...lines, lineOf(bench, OLDER, 'the figures that were there before these')].join('');
}
