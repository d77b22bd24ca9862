/** One attack from its beginning to its lines in the terminal; whatever it opened is closed. */
import type { Backend } from '../storm/deployment.ts';
import { enclosed } from '../storm/ending.ts';
import { say } from '../storm/report.ts';
import type { Attack } from './attack.ts';
import { floorsOf, judge, objections, type Row } from './judgement.ts';
import { runAttack } from './run.ts';
import { cellsOf } from './table.ts';

export interface Form {
  backend: Backend;
  long: boolean;
}

/** Null when it could not be run to its end. */
export async function tryAttack(attack: Attack, { backend, long }: Form, source: string): Promise<Row[] | null> {
  const began = performance.now();
  const title = `${attack.number} ${attack.name}, queue in ${backend === 'redis' ? 'Redis' : 'Postgres'}`;
  const progress = (line: string) => say(`  … ${title}, ${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`);
  try {
    const rows = await enclosed(() => runAttack({ attack, backend, long, source, say: progress }));
    for (const row of rows) sayRow(row, long);
    return rows;
  } catch (error) {
    say(`✗ ${title}: ${(error as Error).stack ?? error}`);
    return null;
  }
}

function sayRow(row: Row, long: boolean): void {
  const floors = floorsOf(long);
  const verdict = judge(row, floors);
  say(`${verdict === 'passed' ? '✓' : '✗'} ${cellsOf(row, floors).join('; ')}`);
  for (const objection of objections(row, floors)) say(`    ${objection}`);
  for (const [name, times] of Object.entries(row.bites)) if (times === 0) say(`    did not bite: ${name} 0`);
}
