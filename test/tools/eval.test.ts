import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE, newFolder, start } from '../support/process.ts';

const evaluate = async (...args: string[]) => start([NODE, 'tools/eval.ts', ...args], {}).ended;

function fileOf(...lines: unknown[]): string {
  const file = join(newFolder(), 'pairs.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return file;
}

const pair = (id: string, a: string, b: string, label: string, kind = 'number') => ({
  id,
  a,
  b,
  label,
  kind,
  source: 'test',
});
const pairs = [
  pair('p1', 'Acme has 1,900 employees.', 'Acme has 2,310 employees.', 'contradiction'),
  pair('p2', 'Bolt has 12 plants.', 'Bolt makes boilers.', 'contradiction'),
  pair('p3', 'Corvid has 7 plants.', 'Corvid has seven plants.', 'consistent'),
  pair('p4', 'Denby has 7 plants.', 'Denby has 9 plants.', 'neutral'),
];

describe('npm run eval', () => {
  it('prints rates by source and kind, and the targets', async () => {
    const { code, stdout } = await evaluate(fileOf(...pairs));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^number +0\.500 +0\.500 +0\.500 +1 +1 +1 +1$/m);
    expect(stdout).toMatch(/^test +0\.500/m);
    expect(stdout).toMatch(/^unrelated documents: 28 pairs, \d+ of them share a key, 0 alarms$/m);
    expect(stdout).toMatch(/^recall, number +0\.5 +at least 0\.85 +MISSED$/m);
  });

  it('lists what was judged wrong', async () => {
    const { stdout } = await evaluate(fileOf(...pairs), '--errors', '1');
    expect(stdout).toMatch(/^missed: p2, test, number, contradiction$/m);
    expect(stdout).not.toContain('p4');
    expect((await evaluate(fileOf(...pairs), '--errors')).stdout).toMatch(/^false alarm: p4/m);
  });

  it('judges either half by itself', async () => {
    const file = fileOf(...pairs);
    const counts = await Promise.all(
      ['dev', 'held-out'].map(async (half) => {
        const { stdout } = await evaluate(file, '--half', half);
        return (/^all +.*?((?: +\d+){4})$/m.exec(stdout)?.[1] ?? '').trim().split(/ +/).map(Number);
      }),
    );
    expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(pairs.length);
  });

  it.each([
    [() => ['missing.jsonl'], 'missing.jsonl cannot be read'],
    [() => [fileOf(pairs[0], '{oops')], 'line 2: not JSON'],
    [() => [fileOf({ ...pairs[0], label: 'wrong' })], "line 1: label is 'wrong'"],
    [() => [fileOf({ ...pairs[0], b: 3 })], "line 1: 'b' is missing or not a string"],
    [() => [fileOf('')], 'has no pairs'],
    [() => [], 'usage:'],
    [() => [fileOf(pairs[0]), '--half', 'both'], '--half: expected'],
    [() => [fileOf(pairs[0]), '--colour'], 'colour'],
  ])('explains what is wrong: %#', async (args, message) => {
    const { code, stderr } = await evaluate(...args());
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
