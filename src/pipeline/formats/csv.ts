/** Comma-separated values after RFC 4180: the first row names the columns. What does not parse is read as text. */
import { isBlank, skipBlanks, trimBlanks } from '../blanks.ts';
import type { Label, PlainText } from '../plain-text.ts';
import { readTxt } from './txt.ts';

const QUOTE = 0x22;

interface Field {
  /** Within the quotes, if it has some. */
  from: number;
  to: number;
  quoted: boolean;
  /** Where the next field begins. */
  next: number;
  endsRow: boolean;
}

export function readCsv(out: PlainText): void {
  const delimiter = sniffDelimiter(out.original);
  if (isClosed(out.original, delimiter)) readRows(out, delimiter);
  else {
    out.warnings.push('It is not valid CSV, as a quote is never closed: it was read as plain text.');
    readTxt(out);
  }
}

/** A quote that is never closed would swallow the rest. */
function isClosed(text: string, delimiter: number): boolean {
  for (let at = startOf(text); at < text.length; ) {
    const field = fieldAt(text, at, delimiter);
    if (!field) return false;
    at = field.next;
  }
  return true;
}

const startOf = (text: string) => (text.charCodeAt(0) === 0xfeff ? 1 : 0);

function readRows(out: PlainText, delimiter: number): void {
  const text = out.original;
  const names: Label[] = [];
  let header = true;
  let column = 0;
  let rows = 0;
  out.begin('header');
  let first = out.block;
  for (let at = startOf(text); at < text.length; ) {
    const field = fieldAt(text, at, delimiter) as Field;
    out.cell(header ? '' : (names[column] ?? ''), ' | ');
    copyField(out, field);
    const place = out.endCell();
    if (header) names[column] = place ?? '';
    column++;
    at = field.next;
    if (!field.endsRow) continue;
    // Blank lines before the header are none.
    if (out.block.start >= 0) {
      if (header) first = out.block;
      header = false;
      rows++;
    }
    column = 0;
    out.begin(header ? 'header' : 'row');
  }
  // A single row names nothing.
  if (rows < 2) first.kind = 'row';
}

/** By the header alone: in rows a comma is often a decimal one. */
function sniffDelimiter(text: string): number {
  const counts = new Map([',', ';', '\t'].map((delimiter) => [delimiter.charCodeAt(0), 0]));
  let quoted = false;
  for (let at = skipBlanks(text, 0, text.length); at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) quoted = !quoted;
    else if ((code === 0x0a || code === 0x0d) && !quoted) break;
    else if (!quoted && counts.has(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** Null if it begins with a quote that is never closed. */
function fieldAt(text: string, start: number, delimiter: number): Field | null {
  let from = start;
  while (isBlank(text.charCodeAt(from)) && !endsField(text.charCodeAt(from), delimiter)) from++;
  const quoted = text.charCodeAt(from) === QUOTE;
  let to = from;
  let at = from;
  if (quoted) {
    from++;
    to = endOfQuoted(text, from);
    if (to < 0) return null;
    at = to + 1;
  }
  while (at < text.length && !endsField(text.charCodeAt(at), delimiter)) at++;
  if (!quoted) to = trimBlanks(text, from, at);
  const endsRow = at >= text.length || text.charCodeAt(at) !== delimiter;
  const next = at + (text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a ? 2 : 1);
  return { from, to, quoted, next, endsRow };
}

function endsField(code: number, delimiter: number): boolean {
  return code === delimiter || code === 0x0a || code === 0x0d;
}

function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
  return -1;
}

/** A doubled quote is one, and a line end within quotes a line end within the cell. */
function copyField(out: PlainText, { from, to, quoted }: Field): void {
  const text = out.original;
  let copied = from;
  for (let at = from; quoted && at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      out.copy(copied, at);
      out.put('"', at, at + 2);
      copied = at + 2;
      at++;
    } else if (code === 0x0a || code === 0x0d) {
      out.copy(copied, at);
      out.breakLine();
      copied = at + 1;
    }
  }
  out.copy(copied, to);
}
