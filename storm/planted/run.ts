/** The oracle proven: every planted bug is struck, and has to be objected to. */
import { Chance } from '../chance.ts';
import { enclosed } from '../ending.ts';
import { newFolder } from '../folder.ts';
import type { Options } from '../options.ts';
import { say } from '../report.ts';
import type { Run } from '../siege.ts';
import { type Bug, bugs } from './bugs.ts';
import { copyWith } from './copy.ts';
import { hammer } from './strikes.ts';

/** A bug that needs a moment to be hit may be struck again. */
const ROUNDS = 3;

export async function runPlanted({ names, seed }: Options, source: string): Promise<number> {
  const unknown = names.filter((name) => !bugs.some((bug) => bug.name === name));
  if (unknown.length > 0) {
    process.stderr.write(
      `there is no planted bug ${unknown.join(', ')}; there are ${bugs.map(({ name }) => name).join(', ')}\n`,
    );
    return 1;
  }
  const wanted = bugs.filter(({ name }) => names.length === 0 || names.includes(name));
  say(`to have it again: npm run storm -- --planted --seed ${seed} ${names.join(' ')}`);
  let missed = 0;
  for (const bug of wanted) {
    const caught = await enclosed(() => strike(bug, seed, copyWith(source, bug.edits)));
    say(`${caught ? '✓' : '✗'} ${bug.name}, ${bug.what}: ${caught ?? `not caught in ${ROUNDS} rounds`}`);
    if (!caught) missed++;
  }
  say(`\n${wanted.length - missed} of ${wanted.length} planted bugs were caught`);
  const falseAlarm = names.length === 0 ? await enclosed(() => control(seed, copyWith(source, []))) : '';
  if (names.length === 0)
    say(`${falseAlarm ? '✗' : '✓'} the shipped code, struck in the same way: ${falseAlarm || 'nothing to object to'}`);
  return missed === 0 && !falseAlarm ? 0 : 1;
}

/** What the oracle objected to; null when it did not. */
async function strike(bug: Bug, seed: number, source: string): Promise<string | null> {
  for (let round = 1; round <= ROUNDS; round++) {
    const began = performance.now();
    const { verdict } = await enclosed(() => bug.strike.run(newRun(bug.name, bug.strike, seed + round, source)));
    if (bug.caughtBy.some((objection) => verdict.counts[objection] > 0))
      return `caught in round ${round}, ${((performance.now() - began) / 1000).toFixed(0)} s: ${verdict} (${verdict.examples[0]})`;
    if (!verdict.isClean) say(`  … objected to, but not as expected: ${verdict}`);
  }
  return null;
}

/** An oracle that objects to everything catches everything: without a bug it has to be silent. */
async function control(seed: number, source: string): Promise<string> {
  const { verdict } = await enclosed(() => hammer.run(newRun('no bug', hammer, seed, source)));
  return verdict.toString();
}

function newRun(name: string, { backends, processes }: Bug['strike'], seed: number, source: string): Run {
  const began = performance.now();
  return {
    long: false,
    backend: backends[0] as Run['backend'],
    processes: processes[0] as Run['processes'],
    chance: new Chance(seed).fork(name),
    source,
    evidence: newFolder('evidence'),
    say: (line) => say(`  … ${name}, ${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`),
  };
}
