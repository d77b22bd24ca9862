/** The fields that a Markdown document may begin with, between two rules, in the simple part of YAML. */
import { findField } from '../fields.ts';
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { afterItemMark, type Line, ruleMark } from './lines.ts';

/** The number of the first line after it. */
export function readFrontMatter(out: PlainText, lines: Line[]): number {
  const text = out.original;
  const isRule = ({ from, to }: Line) => to - from === 3 && ruleMark(text, { from, to }) === '-';
  const [first] = lines;
  if (!first || !isRule(first)) return 0;
  const end = lines.findIndex((line, index) => index > 0 && (isRule(line) || text.slice(line.from, line.to) === '...'));
  if (end < 0) return 0;

  let listName = '';
  for (const line of lines.slice(1, end)) {
    const { from, to } = line;
    const field = findField(text, from, to);
    const item = afterItemMark(text, line);
    if (item >= 0) putField(out, listName, null, item, to);
    else if (field) putField(out, text.slice(...field.label), field.label, field.value, to);
    else if (text.charAt(to - 1) === ':') listName = text.slice(from, to - 1);
  }
  return end + 1;
}

function putField(out: PlainText, label: string, key: Span | null, from: number, to: number): void {
  const quote = out.original.charAt(from);
  const isQuoted = to - from > 1 && (quote === '"' || quote === "'") && out.original.charAt(to - 1) === quote;
  out.begin('field');
  if (key) out.copy(...key);
  out.cell(label, ': ');
  out.copy(isQuoted ? from + 1 : from, isQuoted ? to - 1 : to);
}
