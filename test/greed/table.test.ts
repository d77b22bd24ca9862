/** The table of the attacks, and its place in the docs; and what the command line may ask for. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attacks } from '../../greed/attacks/all.ts';
import { floorsOf, type Row } from '../../greed/judgement.ts';
import { readOptions } from '../../greed/options.ts';
import { cellsOf, HEAD, tableOf, written } from '../../greed/table.ts';

const row: Row = {
  title: '4 accepting: batches',
  backend: 'redis',
  before: { p50: 4, p99: 10, processedP95: 100, refused: {} },
  during: { p50: 8, p99: Infinity, processedP95: 1234.5, refused: { 503: 2, 0: 1 } },
  seen: { healthMs: 1500, unhealthy: 2, memoryMb: 900, ended: 'the service ended' },
  ordinaryMb: 300,
  bites: { batches: 1200 },
  complaints: [],
};

const cells = (title: string, queue: string, result = 'passed') => [
  title,
  queue,
  ...Array(HEAD.length - 3).fill('1'),
  result,
];
const page = `# Page\n\n<!-- greed -->\n\n${tableOf([cells('1 halves', 'Redis'), cells('2 unread', 'Redis')])}\n\n<!-- end of greed -->\nMore.\n`;

it('shows before, during and their ratio', () => {
  expect(cellsOf(row, floorsOf(true))).toEqual([
    '4 accepting: batches',
    'Redis',
    '4.0 → 8.0 (2.0)',
    '10.0 → never',
    '100 → 1235 (12.3)',
    '3',
    '300 → 900 (3.0), ended',
    '1.50 s, 2 not 200',
    '1,200 batches',
    'failed',
  ]);
});

it('replaces rows of the same attack and queue, and keeps the others', () => {
  const now = written(page, [cells('1 halves', 'Redis', 'failed'), cells('1 halves', 'Postgres')]);
  const rows = now.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows.map((line) => line.split(' | ').at(0))).toEqual(['| 1 halves', '| 1 halves', '| 2 unread']);
  expect(rows[0]).toContain('failed');
  expect(written(now, [])).toBe(now);
  expect(now).toMatch(/^# Page\n/);
  expect(now).toMatch(/\nMore\.\n$/);
});

it('finds its place in the docs', () => {
  const docs = readFileSync('docs/reliability.md', 'utf8');
  expect(written(docs, [cells('1 halves', 'Redis')])).toContain('| 1 halves | Redis |');
  expect(() => written('# Page', [])).toThrow('no place');
});

it('reads what the command line asks for', () => {
  expect(readOptions(['--long', '--backend', 'both', '4', 'deleting'])).toEqual({
    long: true,
    planted: false,
    write: false,
    backends: ['postgres', 'redis'],
    names: ['4', 'deleting'],
  });
  expect(readOptions([])?.backends).toBeNull();
  for (const wrong of [['--backend', 'kafka'], ['--backend', 'toString'], ['--loud']])
    expect(readOptions(wrong)).toBeNull();
});

it('has the eight attacks of the issue and the two that came since, and no part of one twice', () => {
  expect(attacks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const { parts } of attacks) expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});
