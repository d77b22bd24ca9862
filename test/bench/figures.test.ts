/** The table of figures, its place in the docs, and what the command line may ask for. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { figures } from '../../bench/figures/catalogue.ts';
import type { Outcome } from '../../bench/figures/figure.ts';
import { listOf, OLDER, readOptions } from '../../bench/figures/options.ts';
import { everyRow, HEAD, linesOf, type Results, written } from '../../bench/figures/table.ts';

const PAGE = '# Page\n\n<!-- figures -->\n<!-- end of figures -->\nMore.\n';
const [first, second] = everyRow.map(({ title }) => title) as [string, string];
const resultsOf = (entries: [string, ...Outcome[]][]): Results =>
  new Map(entries.map(([title, ...outcomes]) => [title, outcomes]));
const rowsIn = (page: string) =>
  page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| figure'));

describe('the table', () => {
  it('has a row for each figure, with its target and what it was before', () => {
    const rows = rowsIn(written(PAGE, new Map()));
    expect(rows).toHaveLength(everyRow.length);
    expect(rows[0]).toBe(`| ${first} | — | ≥ 0.2 | 0.28 | 0.093; prototype 0.18 |`);
    for (const row of rows) expect(row.split(' | ')).toHaveLength(HEAD.length);
  });

  it('replaces what was measured, and keeps the rest', () => {
    const before = written(
      PAGE,
      resultsOf([
        [first, { value: 0.1 }],
        [second, { value: 0.05 }],
      ]),
    );
    const now = written(before, resultsOf([[first, { value: 0.21 }, { value: 0.25 }, { value: 0.19 }]]));
    expect(rowsIn(now)[0]).toContain('| 0.210; 0.250; 0.190 | ≥ 0.2 |');
    expect(rowsIn(now)[1]).toContain('| 0.050 | ≥ 0.14, missed |');
    expect(written(now, new Map())).toBe(now);
    expect(now).toMatch(/^# Page\n/);
    expect(now).toMatch(/\nMore\.\n$/);
  });

  it('is judged by the median of the runs', () => {
    const rowOf = (...values: number[]) =>
      rowsIn(written(PAGE, resultsOf([[first, ...values.map((value) => ({ value }))]])))[0];
    expect(rowOf(0.21, 0.25, 0.19)).not.toContain('missed');
    expect(rowOf(0.19, 0.25, 0.18)).toContain('missed');
  });

  it('writes no row for what was not measured', () => {
    expect(written(PAGE, resultsOf([[first, { missing: 'not there yet' }]]))).toBe(written(PAGE, new Map()));
  });

  it('drops rows of figures that there are not any more', () => {
    const page = PAGE.replace('figures -->\n', 'figures -->\n| gone | 1 | told |  |  |\n');
    expect(written(page, new Map())).not.toContain('gone');
  });

  it('says where it cannot be put', () => {
    expect(() => written('# Page', new Map())).toThrow('no place');
  });

  it('is in the docs, as the figures are', () => {
    const docs = readFileSync('docs/performance.md', 'utf8');
    expect(written(docs, new Map())).toBe(docs);
  });
});

it('prints each figure beside its target, its stretch and what it was', () => {
  const lines = linesOf(
    resultsOf([
      [first, { value: 0.3 }],
      [second, { value: 0.1, doubt: 'void: the generator was the bottleneck' }],
      [everyRow[4]?.title as string, { missing: 'not there yet' }],
    ]),
  );
  expect(lines).toEqual([
    expect.stringMatching(/^✓ processed .* 0\.300 {2}\(≥ 0\.2, stretch 0\.28, before 0\.093; prototype 0\.18\)$/),
    expect.stringMatching(/^✗ .* 0\.100 \(void: the generator was the bottleneck\) {2}\(≥ 0\.14, /),
    expect.stringMatching(/^ {2}processed .* not there yet {2}\(told\)$/),
  ]);
});

describe('the command line', () => {
  const namesOf = (...args: Parameters<typeof readOptions>) => readOptions(...args).figures.map(({ name }) => name);
  const isLong = (name: string) => figures.find((figure) => figure.name === name)?.isLong ?? false;

  it('takes all figures of a bench but the longest, and the older ones', () => {
    expect(namesOf('process', [])).toEqual(
      figures.filter(({ bench, isLong }) => bench === 'process' && !isLong).map(({ name }) => name),
    );
    expect(readOptions('accept', [])).toMatchObject({ quick: false, write: false, runs: 1, older: true });
    expect(namesOf('accept', ['--long']).filter(isLong)).toEqual(['held-snapshot']);
    expect(namesOf('follow', [])).toEqual(['accepting', 'answers', 'statements']);
    expect(namesOf('process', ['--quick']).filter(isLong)).toEqual(['memory']);
  });

  it('takes figures by name, and then nothing else', () => {
    expect(namesOf('process', ['memory', '50-scopes'])).toEqual(['50-scopes', 'memory']);
    expect(readOptions('process', ['50-scopes']).older).toBe(false);
    expect(readOptions('process', [OLDER])).toMatchObject({ figures: [], older: true });
  });

  it('refuses what makes no sense', () => {
    expect(() => readOptions('accept', ['50-scopes'])).toThrow(`'accept' has no figure '50-scopes'`);
    expect(() => readOptions('accept', ['--quick', '--write'])).toThrow('not for the docs');
    for (const runs of ['0', '1.5', 'many', '10'])
      expect(() => readOptions('accept', ['--runs', runs])).toThrow('--runs');
    expect(() => readOptions('accept', ['--loud'])).toThrow();
  });

  it('lists every figure', () => {
    const list = listOf('process') + listOf('accept') + listOf('read') + listOf('follow') + listOf('bulk');
    for (const { name, bench } of figures) expect(list).toContain(`  ${bench} ${name}`);
  });
});

it('has no name and no title twice', () => {
  expect(new Set(figures.map(({ name }) => name)).size).toBe(figures.length);
  expect(new Set(everyRow.map(({ title }) => title)).size).toBe(everyRow.length);
});
