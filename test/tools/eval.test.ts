import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE, newFolder, start } from '../support/process.ts';

const evaluate = async (...args: string[]) => start([NODE, 'tools/eval/main.ts', ...args], {}).ended;

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
  pair('q1', 'Acme has 1,900 employees.', 'Acme has 2,310 employees.', 'contradiction'),
  pair('q2', 'Bolt has 12 plants.', 'Bolt makes boilers.', 'contradiction'),
  pair('q3', 'Corvid has 7 plants.', 'Corvid has seven plants.', 'consistent'),
  pair('q4', 'Denby has 7 plants.', 'Denby has 9 plants.', 'neutral'),
];

describe('npm run eval', () => {
  it('prints rates by source and kind, and the targets', async () => {
    const { code, stdout } = await evaluate(fileOf(...pairs));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^number +0\.500 +0\.500 +0\.500 +1 +1 +1 +1$/m);
    expect(stdout).toMatch(/^test +0\.500/m);
    expect(stdout).toMatch(/^unrelated documents: 24 pairs, \d+ of them share a key, 0 alarms$/m);
    expect(stdout).toMatch(/^precision +0\.5 +at least 0\.95 +MISSED$/m);
  });

  it('lists what was judged wrong', async () => {
    const { stdout } = await evaluate(fileOf(...pairs), '--errors', '1');
    expect(stdout).toMatch(/^missed: q2, test, number, contradiction$/m);
    expect(stdout).not.toContain('q4');
    expect((await evaluate(fileOf(...pairs), '--errors')).stdout).toMatch(/^false alarm: q4/m);
  });

  it('reads each side as the format says', async () => {
    const [a, b] = [1900, 2310].map((employees) => JSON.stringify({ name: 'Acme', employees })) as [string, string];
    const { stdout } = await evaluate(fileOf({ ...pair('p5', a, b, 'contradiction'), format: 'json' }));
    expect(stdout).toMatch(/^all +1\.000 +1\.000/m);
  });

  it('sets a third aside, and shows nothing of it but its totals', async () => {
    const file = fileOf(...Array.from({ length: 60 }, (_, n) => ({ ...pairs[n % 4], id: `p${n}` })));
    const [tune, aside, all] = await Promise.all(
      ['tune', 'aside', 'all'].map(async (part) => {
        const { stdout } = await evaluate(file, '--part', part, '--errors', '60');
        const counts = (/^all +.*?((?: +\d+){4})$/m.exec(stdout)?.[1] ?? '').trim().split(/ +/).map(Number);
        const errors = [...stdout.matchAll(/^(?:missed|false alarm): (p\d+)/gm)].map(([, id]) => id);
        return { pairs: counts.reduce((sum, count) => sum + count, 0), errors, hasKinds: /^number/m.test(stdout) };
      }),
    );
    expect((tune?.pairs ?? 0) + (aside?.pairs ?? 0)).toBe(60);
    expect(aside?.pairs).toBeGreaterThan(10);
    expect(aside).toMatchObject({ errors: [], hasKinds: false });
    expect(tune?.errors.length).toBeGreaterThan(0);
    expect(all?.errors).toEqual(tune?.errors);
  });

  it.each([
    [() => ['missing.jsonl'], 'missing.jsonl cannot be read'],
    [() => [fileOf(pairs[0], '{oops')], 'line 2: not JSON'],
    [() => [fileOf({ ...pairs[0], label: 'wrong' })], "line 1: label is 'wrong'"],
    [() => [fileOf({ ...pairs[0], b: 3 })], "line 1: 'b' is missing or not a string"],
    [() => [fileOf('')], 'has no lines'],
    [() => [fileOf({ ...pairs[0], format: 'pdf' })], "line 1: format is 'pdf'"],
    [() => [newFolder()], 'has no file'],
    [() => ['--corpus'], 'usage:'],
    [() => [fileOf(pairs[0]), '--part', 'both'], '--part: expected'],
    [() => [fileOf(pairs[0]), '--colour'], 'colour'],
  ])('explains what is wrong: %#', async (args, message) => {
    const { code, stderr } = await evaluate(...args());
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
