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
    const last = lines[Math.min(at + (isClosed ? MAX_LINES : 1), lines.length) - 1] as Line;
    const end = endOfValue(text, start, to, last.to);
    isClosed &&= end >= 0;
    if (end < 0) continue;
    while ((lines[at] as Line).to < end) at++;
    const quotes = /^["']/.test(key) ? 1 : 0;
    const own: Span = [from + quotes, from + key.length - quotes];
    const label = `${section ? `${section} ` : ''}${text.slice(...own)}`;
    entries.push({ label, key: own, value: [start, end] });
  }
  return entries;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Without the comment behind it. A list and a text in three quotes may go on to the limit; -1 where nothing closes them. */
function endOfValue(text: string, start: number, lineEnd: number, limit: number): number {
  const first = text.charAt(start);
  if (first === '[' || first === '{') return endOfBrackets(text, start, limit);
  if (first === '"' || first === "'") {
    const end = endOfQuotes(text, start, limit);
    return end < 0 && !isTripled(text, start) ? lineEnd : end;
  }
  const comment = text.slice(start, lineEnd).indexOf('#');
  return comment < 0 ? lineEnd : trimBlanks(text, start, start + comment);
}

/** Brackets in quotes and in comments are none. */
function endOfBrackets(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit; at++) {
    const character = text.charAt(at);
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === '#') at = endOfLine(text, at, limit);
    else if (character === '"' || character === "'") {
      const end = endOfQuotes(text, at, limit);
      if (end < 0) return -1;
      at = end - 1;
    }
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Only three quotes go over the end of a line. */
function endOfQuotes(text: string, start: number, limit: number): number {
  const quote = text.charAt(start);
  const closing = isTripled(text, start) ? quote.repeat(3) : quote;
  for (let at = start + closing.length; at + closing.length <= limit; at++) {
    if (closing === quote && isLineEnd(text.charAt(at))) break;
    if (quote === '"' && text.charAt(at) === '\\' && !isLineEnd(text.charAt(at + 1))) at++;
    else if (text.startsWith(closing, at)) return at + closing.length;
  }
  return -1;
}

const isTripled = (text: string, at: number) => text.startsWith(text.charAt(at).repeat(3), at);

function endOfLine(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && !isLineEnd(text.charAt(at))) at++;
  return at;
}

const isLineEnd = (character: string) => character === '\n' || character === '\r';
