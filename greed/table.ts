/** The rows as a table of Markdown, for the terminal and for the docs. Pure. */
import type { Figures } from './figures.ts';
import { judge, memoryRatioOf, type Row, ratioOf, refusalsOf } from './judgement.ts';

export const HEAD = [
  'attack',
  'queue',
  'p50 before → during, ms',
  'p99, ms',
  'processed p95, ms',
  'refused',
  'memory, MB',
  'health at most',
  'bites',
  'result',
];

const figure = (ms: number) => (Number.isFinite(ms) ? ms.toFixed(ms < 100 ? 1 : 0) : 'never');

function pair(row: Row, name: keyof Figures): string {
  const ratio = ratioOf(row, name);
  const times = Number.isFinite(ratio) ? ` (${ratio.toFixed(1)})` : '';
  return `${figure(row.before[name])} → ${figure(row.during[name])}${times}`;
}

export function cellsOf(row: Row, floors: Figures): string[] {
  const { seen, ordinaryMb, bites } = row;
  return [
    row.title,
    row.backend === 'redis' ? 'Redis' : 'Postgres',
    pair(row, 'p50'),
    pair(row, 'p99'),
    pair(row, 'processedP95'),
    `${refusalsOf(row)}`,
    `${ordinaryMb.toFixed(0)} → ${seen.memoryMb.toFixed(0)} (${memoryRatioOf(row).toFixed(1)})${seen.ended ? ', ended' : ''}`,
    `${(seen.healthMs / 1000).toFixed(2)} s${seen.unhealthy > 0 ? `, ${seen.unhealthy} not 200` : ''}`,
    Object.entries(bites)
      .map(([name, times]) => `${times.toLocaleString('en')} ${name}`)
      .join(', '),
    judge(row, floors),
  ];
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;

export const tableOf = (rows: string[][]) =>
  [line(HEAD), `|${HEAD.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');

const BEGIN = '<!-- greed -->\n';
const END = '<!-- end of greed -->';

/** The page with these rows in its table: those of the same attack and queue are replaced, the others stay. */
export function written(page: string, rows: string[][]): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the page has no place for the table');
  const keyOf = ([attack, queue]: string[]) => `${attack} ${queue}`;
  const old = page
    .slice(from, to)
    .split('\n')
    .filter((text) => /^\| \d/.test(text));
  const all = new Map(old.map((text) => text.slice(2, -2).split(' | ')).map((cells) => [keyOf(cells), cells]));
  for (const cells of rows) all.set(keyOf(cells), cells);
  const ordered = [...all.values()].sort((a, b) => Number.parseInt(a[0] ?? '', 10) - Number.parseInt(b[0] ?? '', 10));
  return `${page.slice(0, from)}${BEGIN}\n${tableOf(ordered)}\n\n${page.slice(to)}`;
}
