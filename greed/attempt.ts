/** One attack from its beginning to its lines in the terminal; whatever it opened is closed. */
import type { Backend } from '../storm/deployment.ts';
import { enclosed } from '../storm/ending.ts';
import { mayBeLate, undisturbed } from '../storm/host.ts';
import { markOf, say } from '../storm/report.ts';
import type { Attack, Run } from './attack.ts';
import { floorsOf, judge, objections, type Row } from './judgement.ts';
import { runAttack } from './run.ts';
import { cellsOf } from './table.ts';

export interface Form {
  backend: Backend;
  long: boolean;
}

interface Tried {
  rows: Row[];
  /** Why it could not be run to its end. */
  error: string | null;
}

/** Null when it could not be run to its end. */
export async function tryAttack(attack: Attack, form: Form, source: string): Promise<Row[] | null> {
  const title = `${attack.number} ${attack.name}, queue in ${form.backend === 'redis' ? 'Redis' : 'Postgres'}`;
  const floors = floorsOf(form.long);
  const { rows, error } = await undisturbed(
    title,
    () => tryOnce(title, { attack, source, ...form }),
    ({ rows, error }) =>
      (error !== null || rows.some((row) => judge(row, floors) !== 'passed')) &&
      rows.every((row) => row.seen.ended === null && mayBeLate(objections(row, floors))) &&
      mayBeLate([error?.split('\n    at ')[0] ?? '']),
    (tried) => sayTried(title, tried, form, true),
  );
  sayTried(title, { rows, error }, form);
  return error === null ? rows : null;
}

function sayTried(title: string, { rows, error }: Tried, { long }: Form, isDiscarded = false): void {
  for (const row of rows) sayRow(row, long, isDiscarded);
  if (error !== null) say(`${markOf('failed', isDiscarded)} ${title}: ${error}`);
}

async function tryOnce(title: string, run: Omit<Run, 'say'>): Promise<Tried> {
  const began = performance.now();
  const progress = (line: string) => say(`  … ${title}, ${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`);
  try {
    return { rows: await enclosed(() => runAttack({ ...run, say: progress })), error: null };
  } catch (error) {
    return { rows: [], error: (error as Error).stack ?? `${error}` };
  }
}

function sayRow(row: Row, long: boolean, isDiscarded: boolean): void {
  const floors = floorsOf(long);
  say(`${markOf(judge(row, floors), isDiscarded)} ${cellsOf(row, floors).join('; ')}`);
  for (const objection of objections(row, floors)) say(`    ${objection}`);
  for (const [name, times] of Object.entries(row.bites)) if (times === 0) say(`    did not bite: ${name} 0`);
}
