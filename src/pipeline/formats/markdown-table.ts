/** Tables of Markdown: a line of names, a line of dashes, a line for each row. */
import { skipBlanks, trimBlanks } from '../blanks.ts';
import type { Label, PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import type { Line } from './lines.ts';
import { copyInline } from './markdown-inline.ts';

export function isTableAt(text: string, lines: Line[], index: number): boolean {
  const line = lines[index];
  const below = lines[index + 1];
  return !!line && !!below && isDashes(text, below) && hasBar(text, line);
}

/** The number of the table's last line. */
export function readTable(out: PlainText, lines: Line[], index: number): number {
  const text = out.original;
  const names = putRow(out, 'header', lines[index] as Line, []);
  let last = index + 1;
  for (let line = lines[last + 1]; line && hasBar(text, line); line = lines[last + 1]) {
    putRow(out, 'row', line, names);
    last++;
  }
  return last;
}

function putRow(out: PlainText, kind: 'header' | 'row', line: Line, names: Label[]): Label[] {
  out.begin(kind);
  return cellsOf(out.original, line).map((cell, column) => {
    out.cell(names[column] ?? '', ' | ');
    copyInline(out, [cell]);
    return out.endCell() ?? '';
  });
}

function cellsOf(text: string, line: Line): Span[] {
  const cells: Span[] = [];
  let start = text.charAt(line.from) === '|' ? line.from + 1 : line.from;
  for (let at = start; at < line.to; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '|') {
      cells.push([start, at]);
      start = at + 1;
    }
  }
  if (start < line.to) cells.push([start, line.to]);
  return cells.map(([from, to]) => {
    const first = skipBlanks(text, from, to);
    return [first, trimBlanks(text, first, to)];
  });
}

function hasBar(text: string, { from, to }: Line): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 0x7c) return true;
  return false;
}

function isDashes(text: string, { from, to }: Line): boolean {
  let dashes = 0;
  for (let at = from; at < to; at++) {
    const character = text.charAt(at);
    if (character === '-') dashes++;
    else if (!'|: \t'.includes(character)) return false;
  }
  return dashes > 0;
}
