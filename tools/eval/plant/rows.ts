/** Finds the cells of a CSV table that state a value of what their row is about. */
import type { Chance } from '../../../storm/chance.ts';
import type { Source } from '../read.ts';
import { otherDay, otherFigure } from './change.ts';
import { copyOf, type Range, type Statement } from './statement.ts';

/** Tables with quotes are left out: cutting them is another program's work. */
export function statementsOfRows(source: Source, chance: Chance): Statement[] {
  const [head = '', ...rows] = source.text.split('\n');
  if (source.text.includes('"')) return [];
  let at = head.length + 1;
  return rows.flatMap((row) => {
    const start = at;
    at += row.length + 1;
    const cells = row.split(',');
    const [key = ''] = cells;
    if (!key.trim() || cells.length !== head.split(',').length) return [];
    return cells.slice(1).flatMap((cell, place): Statement[] => {
      const change = changeOf(cell, chance);
      if (!change || change.to === cell) return [];
      const before = cells.slice(0, place + 1).join(',').length + 1;
      const said: Range = [start + before, start + before + cell.length];
      const text = `${head}\n${row.slice(0, before)}${change.to}${row.slice(before + cell.length)}\n`;
      const from = head.length + 1 + before;
      const extract = { name: 'extract' as const, text, said: [from, from + change.to.length] as Range };
      return [{ ...change, source, said, from: cell, forms: [copyOf(source, said, change.to), extract] }];
    });
  });
}

function changeOf(cell: string, chance: Chance): { kind: string; to: string } | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return { kind: 'date', to: otherDay(cell, chance) };
  if (/^\d+(?:\.\d+)?(?: ?[A-Za-z%]+)?$/.test(cell)) return { kind: 'number', to: otherFigure(cell, chance) };
  return undefined;
}
