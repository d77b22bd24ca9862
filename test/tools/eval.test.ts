import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

describe('npm run eval -- --corpus', () => {
  const sheet = (n: number) => ({ name: `Pump ${n}`, code: `PX-${n}`, flow: 100 + 7 * n, installed: `2021-0${n}-12` });
  const documents = [
    ...[1, 2, 3, 4].map((n) => ({ name: `${n}.json`, type: 'json', text: JSON.stringify(sheet(n)) })),
    { name: 'note.md', type: 'md', text: '# Harbour Bridge\n\nThe Harbour Bridge has 14 spans of steel.\n' },
    { name: 'list.csv', type: 'csv', text: 'part,stock\nbolt M8,340\nnut M8,512\n' },
  ];

  function corpusOf(): string {
    const file = join(newFolder(), 'corpus.jsonl.gz');
    writeFileSync(file, gzipSync(documents.map((one) => JSON.stringify(one)).join('\n')));
    return file;
  }

  it('plants contradictions, finds them, and counts what else is detected', async () => {
    const file = corpusOf();
    const out = join(newFolder(), 'out.jsonl');
    const { code, stdout } = await evaluate('--corpus', file, '--plant', '6', '--out', out, '--seed', '2');
    expect(code).toBe(0);
    const [, found, missed] = /^all +[\d.]+ +(\d+) +(\d+)$/m.exec(stdout) ?? [];
    expect(Number(found) + Number(missed)).toBe(6);
    expect(Number(found)).toBeGreaterThan(0);
    const lines = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (is: string) => lines.filter((line) => line.is === is).length;
    expect([of('planted'), of('missed')]).toEqual([Number(found), Number(missed)]);
    expect(stdout).toContain(`detected beside those that were planted: ${of('rest')},`);
  });

  it('plants the same for a seed, and each in another document', async () => {
    const file = corpusOf();
    const [one, two] = [join(newFolder(), 'one'), join(newFolder(), 'two')];
    await Promise.all([one, two].map((out) => evaluate('--corpus', file, '--plant', '6', '--out', out)));
    expect(readFileSync(one, 'utf8')).toBe(readFileSync(two, 'utf8'));
    const plants = readFileSync(one, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const sources = plants.flatMap(({ source }) => source ?? []);
    expect(new Set(sources).size).toBe(6);
  });
});
