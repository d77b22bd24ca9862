/** What a storm prints: a line as each run ends, and the table at the end. */
import { availableParallelism, loadavg } from 'node:os';
import type { Backend } from './deployment.ts';
import { OBJECTIONS } from './oracle/verdict.ts';
import type { Outcome, Scenario } from './siege.ts';

export type Judgement = 'passed' | 'failed' | 'void';

export interface Done {
  scenario: Scenario;
  backend: Backend;
  processes: 1 | 4;
  seconds: number;
  /** Null when it could not be run to its end. */
  outcome: Outcome | null;
  error: string | null;
}

export const say = (line: string) => void process.stdout.write(`${line}\n`);

export function judge({ outcome }: Done): Judgement {
  if (!outcome) return 'failed';
  if (!outcome.verdict.isClean || outcome.complaints.length > 0) return 'failed';
  return Object.values(outcome.bites).every((times) => times > 0) ? 'passed' : 'void';
}

export const titleOf = ({ scenario, backend, processes }: Done) =>
  `${scenario.number} ${scenario.name}, queue in ${backend === 'redis' ? 'Redis' : 'Postgres'}, ${processes === 1 ? 'one process' : `${processes} processes`}`;

const figuresOf = ({ outcome }: Done) =>
  Object.entries(outcome?.figures ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** How a line of a result begins. The gate counts ✓ and ✗, so an attempt that is made again begins with neither. */
export function markOf(judgement: Judgement, isDiscarded = false): string {
  if (isDiscarded) return '↻';
  return judgement === 'passed' ? '✓' : '✗';
}

export function sayDone(done: Done, isDiscarded = false): void {
  const { outcome, error, seconds } = done;
  const judgement = judge(done);
  say(
    `${markOf(judgement, isDiscarded)} ${titleOf(done)}: ${judgement} in ${seconds.toFixed(1)} s; ${figuresOf(done)}`,
  );
  if (error) say(`    ${error}`);
  if (!outcome) return;
  for (const complaint of outcome.complaints) say(`    ${complaint}`);
  for (const example of outcome.verdict.examples) say(`    ${example}`);
  for (const [bite, times] of Object.entries(outcome.bites)) if (times === 0) say(`    did not bite: ${bite} 0`);
}

export function sayTable(all: Done[]): void {
  const head = ['scenario', 'result', ...OBJECTIONS, 'figures'];
  const rows = all.map((done) => [
    titleOf(done),
    judge(done),
    ...OBJECTIONS.map((name) => `${done.outcome?.verdict.counts[name] ?? '?'}`),
    figuresOf(done),
  ]);
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, n) => cell.padEnd(n === head.length - 1 ? 0 : (widths[n] ?? 0))).join(' | ')} |`;
  say('');
  say(line(head));
  say(`|${head.map(() => '---').join('|')}|`);
  for (const row of rows) say(line(row));
}

export const machine = () =>
  `${availableParallelism()} cores, ${process.arch}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before it began`;
