/** The entries of TOML, as far as the front matter of a document has them. */
import { trimBlanks } from '../blanks.ts';
import type { Span } from '../span-map.ts';
import type { Line } from './lines.ts';

export interface TomlEntry {
  /** The sections it stands in, and its key. */
  label: string;
  key: Span;
  value: Span;
}

const KEY = /([\p{L}\p{N}_.-]{1,60}|"[^"\n]{1,60}"|'[^'\n]{1,60}')[ \t]*=[ \t]*/uy;
const SECTION = /\[\[?([^[\]\r\n]{1,60})\]/y;
/** A list or a text over more lines is not read. */
const MAX_LINES = 200;

export function tomlEntries(text: string, lines: Line[]): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let section: string | null = null;
  let isClosed = true;
  for (let at = 0; at < lines.length; at++) {
    const { from, to } = lines[at] as Line;
    const name = from < to ? match(SECTION, text, from)?.[1]?.trim() : undefined;
    // The first, with nothing above it, is what the document is: [advisory].
    if (name !== undefined) section = entries.length === 0 && section === null ? '' : name;
    const [found, key = ''] = (from < to && match(KEY, text, from)) || [];
    if (!found || from + found.length >= to) continue;
    const start = from + found.length;
    // Where one value is not closed, none is looked for over several lines any more.
    const close: number = isClosed ? lastLine(text, lines, at, start) : at;
    isClosed &&= close >= 0;
    at = Math.max(at, close);
    const quotes = /^["']/.test(key) ? 1 : 0;
    const own: Span = [from + quotes, from + key.length - quotes];
    const label = `${section ? `${section} ` : ''}${text.slice(...own)}`;
    entries.push({ label, key: own, value: [start, endOfValue(text, start, (lines[at] as Line).to)] });
  }
  return entries;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A list and a text in three quotes may go on in the lines below; -1 where nothing closes them. */
function lastLine(text: string, lines: Line[], at: number, start: number): number {
  const opening = text.slice(start, start + 3);
  const closing = /^(?:"""|''')$/.test(opening) ? opening : opening.startsWith('[') ? ']' : '';
  if (!closing) return at;
  for (let line = at; line < lines.length && line < at + MAX_LINES; line++) {
    const { from, to } = lines[line] as Line;
    const after = line === at ? start + closing.length : from;
    if (text.slice(after, to).includes(closing)) return line;
  }
  return -1;
}

const CLOSING = new Map([
  ['[', ']'],
  ['{', '}'],
]);

/** Without the comment behind it. */
function endOfValue(text: string, start: number, end: number): number {
  const quote = text.charAt(start);
  const isQuoted = quote === '"' || quote === "'";
  const isText = isQuoted && text.startsWith(quote.repeat(3), start);
  if (isQuoted && !isText) {
    for (let at = start + 1; at < end; at++) {
      if (quote === '"' && text.charAt(at) === '\\') at++;
      else if (text.charAt(at) === quote) return at + 1;
    }
    return end;
  }
  const value = text.slice(start, end);
  const closing = isText ? quote.repeat(3) : CLOSING.get(quote);
  if (closing) return start + Math.max(0, value.lastIndexOf(closing)) + closing.length;
  const comment = value.indexOf('#');
  return comment < 0 ? end : trimBlanks(text, start, start + comment);
}
