/** The judgement proven: a service without fair shares is attacked, and has to be caught by what its bystander sees. */
import { enclosed } from '../storm/ending.ts';
import { copyWith, type Edit } from '../storm/planted/copy.ts';
import { say } from '../storm/report.ts';
import { accepting } from './attacks/4-accepting.ts';
import { tryAttack } from './attempt.ts';
import { floorsOf, judge, type Row } from './judgement.ts';

/** A committer that takes what waits in the order in which it came, whoever sent it. */
export const withoutShares: Edit[] = [
  {
    file: 'src/domain/accept/lines.ts',
    find: 'const line = this.#lines.get(entry.tenantId);',
    replace: "const line = this.#lines.get('all');",
  },
  {
    file: 'src/domain/accept/lines.ts',
    find: 'else this.#lines.set(entry.tenantId, [entry]);',
    replace: "else this.#lines.set('all', [entry]);",
  },
];

/** The shortest that shows it: one tenant's batches. */
const attack = { ...accepting, parts: accepting.parts.slice(0, 1) };
const form = { backend: 'postgres', long: false } as const;
const floors = floorsOf(false);

const isCaught = (rows: Row[] | null) => rows?.some((row) => judge(row, floors) === 'failed') ?? false;
const isCalm = (rows: Row[] | null) => rows?.every((row) => judge(row, floors) === 'passed') ?? false;

export async function runPlanted(source: string): Promise<number> {
  const caught = isCaught(await enclosed(() => tryAttack(attack, form, copyWith(source, withoutShares))));
  say(`${caught ? '✓' : '✗'} a committer without fair shares: ${caught ? 'caught' : 'not caught'}`);
  // A judge who objects to everything catches everything: without the bug it has to be silent.
  const calm = isCalm(await enclosed(() => tryAttack(attack, form, copyWith(source, []))));
  say(
    `${calm ? '✓' : '✗'} the shipped code, attacked in the same way: ${calm ? 'nothing to object to' : 'objected to'}`,
  );
  return caught && calm ? 0 : 1;
}
