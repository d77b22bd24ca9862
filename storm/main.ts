/** npm run storm: strikes the real service with faults while an outside client keeps a journal, then settles the books. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toldUsage } from '../src/cli/usage.ts';
import { Chance } from './chance.ts';
import type { Backend } from './deployment.ts';
import { enclosed, runStorm } from './ending.ts';
import { mayBeLate, undisturbed } from './host.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { copyWith } from './planted/copy.ts';
import { runPlanted } from './planted/run.ts';
import { type Done, judge, machine, say, sayDone, sayTable, titleOf } from './report.ts';
import { scenarios } from './scenarios/all.ts';
import type { Scenario } from './siege.ts';
import { runSoak } from './soak.ts';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

type Form = Pick<Done, 'backend' | 'processes'>;

/** Which runs of a scenario make up the form that was asked for. */
function formsOf({ number, backends, processes }: Scenario, { long, backends: wanted }: Options): Form[] {
  const due: Backend = number % 2 === 1 ? 'postgres' : 'redis';
  const usual = long ? backends : [backends.includes(due) ? due : (backends[0] as Backend)];
  const taken = wanted ? wanted.filter((backend) => backends.includes(backend)) : usual;
  const counts = long ? processes : processes.slice(0, 1);
  return taken.flatMap((backend) => counts.map((count) => ({ backend, processes: count })));
}

const evidenceOf = ({ seed }: Options, { name }: Scenario, { backend, processes }: Form) =>
  join(tmpdir(), `docket-storm-${seed}-${name}-${backend}-${processes}`);

/** Of an error what it says, and not where it was. */
const complaintsOf = ({ outcome, error }: Done) => [...(outcome?.complaints ?? []), error?.split('\n    at ')[0] ?? ''];

async function strike(scenario: Scenario, form: Form, options: Options, source: string): Promise<Done> {
  const evidence = evidenceOf(options, scenario, form);
  const done = await undisturbed(
    titleOf({ scenario, ...form } as Done),
    () => strikeOnce(scenario, form, options, source),
    // Books that do not agree are wrong however slow the machine is.
    (tried) => judge(tried) !== 'passed' && (tried.outcome?.verdict.isClean ?? true) && mayBeLate(complaintsOf(tried)),
    (tried) => {
      sayDone(tried, true);
      const kept = `${evidence}-late-${Date.now()}`;
      if (existsSync(evidence)) renameSync(evidence, kept);
      say(`    its journal and logs are in ${kept}`);
    },
  );
  sayDone(done);
  if (judge(done) === 'passed') rmSync(evidence, { recursive: true, force: true });
  else say(`    its journal and logs are in ${evidence}`);
  return done;
}

async function strikeOnce(scenario: Scenario, form: Form, options: Options, source: string): Promise<Done> {
  const began = performance.now();
  const chance = new Chance(options.seed).fork(scenario.name);
  const title = titleOf({ scenario, ...form } as Done);
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const progress = (line: string) => say(`  … ${title}, ${seconds()} s: ${line}`);
  const evidence = evidenceOf(options, scenario, form);
  rmSync(evidence, { recursive: true, force: true });
  let outcome: Done['outcome'] = null;
  let error: string | null = null;
  try {
    outcome = await enclosed(() =>
      scenario.run({ ...form, long: options.long, chance, source, evidence, say: progress }),
    );
  } catch (caught) {
    error = (caught as Error).stack ?? `${caught}`;
  }
  return { scenario, ...form, seconds: (performance.now() - began) / 1000, outcome, error };
}

function argumentsOf({ seed, long, backends, names }: Options): string {
  const backend = backends ? ['--backend', backends.length > 1 ? 'both' : backends[0]] : [];
  return ['--seed', seed, ...(long ? ['--long'] : []), ...backend, ...names].join(' ');
}

function usage(): string {
  const list = scenarios.map(({ number, name, what }) => `  ${number} ${name}: ${what}\n`);
  return `${USAGE}scenarios:\n${list.join('')}`;
}

async function storm(): Promise<number> {
  if (toldUsage(usage())) return 0;
  const options = readOptions(process.argv.slice(2));
  if (options?.planted) return runPlanted(options, SOURCE);
  // A copy of what there is now: work on the code may go on meanwhile, and a node that is killed must come back the same.
  const source = copyWith(SOURCE, []);
  if (options?.names[0] === 'soak') return runSoak(options, source);
  const isKnown = (name: string) => scenarios.some((one) => `${one.number}` === name || one.name === name);
  if (!options?.names.every(isKnown)) {
    process.stderr.write(usage());
    return 1;
  }
  const { names, seed, long } = options;
  const wanted = scenarios.filter(
    (one) => names.length === 0 || names.includes(`${one.number}`) || names.includes(one.name),
  );
  say(`a ${long ? 'long' : 'short'} storm on ${machine()}`);
  say(`to have it again: npm run storm -- ${argumentsOf(options)}`);
  const began = performance.now();
  const all: Done[] = [];
  for (const scenario of wanted)
    for (const form of formsOf(scenario, options)) all.push(await strike(scenario, form, options, source));
  sayTable(all);
  const bad = all.filter((done) => judge(done) !== 'passed').length;
  say(
    `\n${all.length - bad} passed, ${bad} failed or void, in ${((performance.now() - began) / 1000).toFixed(0)} s; seed ${seed}`,
  );
  return all.length > 0 && bad === 0 ? 0 : 1;
}

await runStorm(storm);
