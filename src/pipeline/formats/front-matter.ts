/** The fields that a Markdown document may begin with, in the simple part of YAML or of TOML. */
import { findField } from '../fields.ts';
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { eachValue, endBeforeComment, unquoted } from './flow.ts';
import { afterItemMark, type Line } from './lines.ts';
import { tomlEntries } from './toml.ts';

/** The number of the first line after it. */
export function readFrontMatter(out: PlainText, lines: Line[]): number {
  const text = out.original;
  const [first] = lines;
  const opening = first && first.to - first.from <= MAX_FENCE ? text.slice(first.from, first.to) : '';
  const closing = FENCES.get(opening.toLowerCase());
  if (!closing) return 0;
  const isEnd = ({ from, to }: Line) => to - from === 3 && closing.includes(text.slice(from, to));
  const end = lines.findIndex((line, index) => index > 0 && isEnd(line));
  if (end < 0) return 0;
  const within = lines.slice(1, end);
  if (opening === '---') readYaml(out, within);
  else readToml(out, within);
  return end + 1;
}

const FENCES = new Map([
  ['---', ['---', '...']],
  ['+++', ['+++']],
  ['```toml', ['```']],
]);
const MAX_FENCE = 7;

function readYaml(out: PlainText, lines: Line[]): void {
  const text = out.original;
  let listName = '';
  let hasTitle = false;
  for (const { from, to: end } of lines) {
    if (text.charAt(from) === '#') continue;
    const to = endBeforeComment(text, from, end);
    const field = findField(text, from, to);
    const item = afterItemMark(text, { from, to });
    // That of something within is indented.
    const isOwn = !/[ \t]/.test(text.charAt(from - 1));
    if (isOwn && item < 0) listName = '';
    if (!hasTitle && field && TITLE.test(text.slice(...field.label)) && isOwn) {
      hasTitle = true;
      putTitle(out, [field.value, to]);
    } else if (item >= 0) putField(out, listName, null, [item, to]);
    else if (field) putField(out, joined(listName, text.slice(...field.label)), field.label, [field.value, to]);
    else if (isOwn && text.charAt(to - 1) === ':') listName = text.slice(from, to - 1);
  }
}

const joined = (above: string, label: string) => (above ? `${above} ${label}` : label);

function readToml(out: PlainText, lines: Line[]): void {
  let hasTitle = false;
  for (const { label, key, value } of tomlEntries(out.original, lines)) {
    if (!hasTitle && TITLE.test(label)) {
      hasTitle = true;
      putTitle(out, value);
    } else putField(out, label, key, value);
  }
}

const TITLE = /^title$/i;

/** It stands above all headings of the text. */
function putTitle(out: PlainText, value: Span): void {
  out.begin('heading', { level: 0 });
  out.copy(...unquoted(out.original, ...value));
}

/** Each value of a list is one of its label, and each of a map one of both labels. */
function putField(out: PlainText, name: string, key: Span | null, value: Span): void {
  const text = out.original;
  eachValue(text, { within: '', label: name }, key, value, ({ within, label }, own, from, to) => {
    out.begin('field', { isFrontMatter: true });
    if (own) out.copy(...own);
    out.cell(joined(within, label), ': ');
    out.copy(...unquoted(text, from, to));
  });
}
