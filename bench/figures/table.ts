/** The figures as lines for the terminal, and as a table of Markdown for the docs. Pure. */
import { median } from '../parts/statistics.ts';
import { figures } from './catalogue.ts';
import { isMet, type Outcome, type Row } from './figure.ts';

/** By title, what came of it in each run. */
export type Results = Map<string, Outcome[]>;

export const HEAD = ['figure', 'measured', 'target', 'stretch', 'before'];
const NOT_YET = '—';

export const everyRow: Row[] = figures.flatMap(({ rows }) => rows);

const shown = (value: number) => value.toFixed(value < 1 ? 3 : 2);
const describe = (outcome: Outcome) =>
  'missing' in outcome ? outcome.missing : `${shown(outcome.value)}${outcome.doubt ? ` (${outcome.doubt})` : ''}`;

function verdict(row: Row, outcomes: Outcome[]): boolean | null {
  const values = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
  return values.length === 0 ? null : isMet(row, median(values));
}

const targetOf = ({ target }: Row) => (target ? `${target.sign} ${target.value}` : 'told');
const stretchOf = ({ target }: Row) => (target?.stretch ? `${target.stretch}` : '');

/** For the terminal. */
export function linesOf(results: Results): string[] {
  return everyRow.flatMap((row) => {
    const outcomes = results.get(row.title);
    if (!outcomes) return [];
    const met = verdict(row, outcomes);
    const mark = met === null ? ' ' : met ? '✓' : '✗';
    const wanted = [targetOf(row), stretchOf(row) && `stretch ${stretchOf(row)}`, row.before && `before ${row.before}`];
    return [
      `${mark} ${row.title.padEnd(90)} ${outcomes.map(describe).join('; ')}  (${wanted.filter(Boolean).join(', ')})`,
    ];
  });
}

function cellsOf(row: Row, outcomes: Outcome[]): string[] {
  const missed = verdict(row, outcomes) === false ? ', missed' : '';
  return [row.title, outcomes.map(describe).join('; '), targetOf(row) + missed, stretchOf(row), row.before ?? ''];
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;

const BEGIN = '<!-- figures -->\n';
const END = '<!-- end of figures -->';

/** The page with what was measured in its table. The other rows stay as they are, and those of no figure any more go. */
export function written(page: string, results: Results): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the page has no place for the table of figures');
  const old = new Map(
    page
      .slice(from, to)
      .split('\n')
      .filter((text) => text.startsWith('| '))
      .map((text) => text.slice(2, -2).split(' | '))
      .map((cells) => [cells[0], cells]),
  );
  const rows = everyRow.map((row) => {
    const outcomes = results.get(row.title)?.filter((outcome) => 'value' in outcome);
    if (outcomes && outcomes.length > 0) return cellsOf(row, outcomes);
    return old.get(row.title) ?? [row.title, NOT_YET, targetOf(row), stretchOf(row), row.before ?? ''];
  });
  const table = [line(HEAD), `|${HEAD.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
  return `${page.slice(0, from)}${BEGIN}\n${table}\n\n${page.slice(to)}`;
}
