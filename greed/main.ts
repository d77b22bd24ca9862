/** npm run greed: what a greedy or hostile caller can do to others, by attacks on the real service beside a bystander. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toldUsage } from '../src/cli/usage.ts';
import { runStorm } from '../storm/ending.ts';
import { copyWith } from '../storm/planted/copy.ts';
import { machine, say } from '../storm/report.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks/all.ts';
import { type Form, tryAttack } from './attempt.ts';
import type { Row } from './judgement.ts';
import { floorsOf, judge } from './judgement.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { runPlanted } from './planted.ts';
import { cellsOf, tableOf, written } from './table.ts';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/reliability.md', import.meta.url));

function usage(): string {
  const list = attacks.flatMap(({ number, name, parts }) =>
    parts.map((part) => `  ${number} ${name}${part.name && `, ${part.name}`}: ${part.what}\n`),
  );
  return `${USAGE}attacks:\n${list.join('')}`;
}

const isNamed = ({ number, name }: Attack, names: string[]) => names.includes(`${number}`) || names.includes(name);

/** Each on the backend that is due, or on those that were asked for; in full on both. */
function formsOf({ number }: Attack, { long, backends }: Options): Form[] {
  const usual = long
    ? (['postgres', 'redis'] as const)
    : [number % 2 === 1 ? ('postgres' as const) : ('redis' as const)];
  return (backends ?? usual).map((backend) => ({ backend, long }));
}

async function greed(): Promise<number> {
  if (toldUsage(usage())) return 0;
  const options = readOptions(process.argv.slice(2));
  if (!options?.names.every((name) => attacks.some((attack) => isNamed(attack, [name])))) {
    process.stderr.write(usage());
    return 1;
  }
  if (options.planted) return runPlanted(SOURCE);
  const source = copyWith(SOURCE, []);
  const { names, long, write } = options;
  say(`${long ? 'the long form' : 'the short form'} on ${machine()}`);
  const began = performance.now();
  const rows: Row[] = [];
  let unfinished = 0;
  for (const attack of attacks.filter((one) => names.length === 0 || isNamed(one, names)))
    for (const form of formsOf(attack, options)) {
      const parts = attack.parts.filter(({ isLongOnly }) => long || !isLongOnly);
      const done = await tryAttack({ ...attack, parts }, form, source);
      if (done) rows.push(...done);
      else unfinished++;
    }
  const floors = floorsOf(long);
  const cells = rows.map((row) => cellsOf(row, floors));
  say(`\n${tableOf(cells)}\n`);
  if (write) writeFileSync(PAGE, written(readFileSync(PAGE, 'utf8'), cells));
  const bad = unfinished + rows.filter((row) => judge(row, floors) !== 'passed').length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  say(`${rows.length + unfinished - bad} passed, ${bad} failed or void, in ${seconds} s`);
  return rows.length > 0 && bad === 0 ? 0 : 1;
}

await runStorm(greed);
