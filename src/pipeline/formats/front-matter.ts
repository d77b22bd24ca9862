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
  let hasTitle = false;
  for (const line of lines.slice(1, end)) {
    const { from, to } = line;
    const field = findField(text, from, to);
    const item = afterItemMark(text, line);
    // That of something within is indented.
    if (!hasTitle && field && TITLE.test(text.slice(...field.label)) && text.charAt(from - 1) === '\n') {
      hasTitle = true;
      putTitle(out, field.value, to);
    } else if (item >= 0) putField(out, listName, null, item, to);
    else if (field) putField(out, text.slice(...field.label), field.label, field.value, to);
    else if (text.charAt(to - 1) === ':') listName = text.slice(from, to - 1);
  }
  return end + 1;
}

const TITLE = /^title$/i;

/** It stands above all headings of the text. */
function putTitle(out: PlainText, from: number, to: number): void {
  out.begin('heading', { level: 0 });
  out.copy(...unquoted(out.original, from, to));
}

function putField(out: PlainText, label: string, key: Span | null, from: number, to: number): void {
  out.begin('field');
  if (key) out.copy(...key);
  out.cell(label, ': ');
  out.copy(...unquoted(out.original, from, to));
}

function unquoted(text: string, from: number, to: number): Span {
  const quote = text.charAt(from);
  const isQuoted = to - from > 1 && (quote === '"' || quote === "'") && text.charAt(to - 1) === quote;
  return isQuoted ? [from + 1, to - 1] : [from, to];
}
