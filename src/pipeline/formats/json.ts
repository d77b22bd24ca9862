/** JSON: each value that is neither list nor object is a field. What does not parse is read as text. */
import type { PlainText } from '../plain-text.ts';
import { readTxt } from './txt.ts';

/** An object or a list that is open. */
interface Level {
  isList: boolean;
  path: string;
  /** The path of the object it is, or is in. */
  within: string;
  /** The key before the value; in a list the key of the list. */
  label: string;
  /** Where that key stands, while its value is still to come. */
  key: [from: number, to: number] | null;
  items: number;
}

/** A longer list of bare values is data, such as samples or a vector, and not so many statements. */
const MAX_BARE_ITEMS = 100;
/** Deep nesting would make all paths together longer than the document by its square. */
const MAX_PATH = 200;

export function readJson(out: PlainText): void {
  if (isValid(out.original)) scan(out);
  else {
    out.warnings.push('It is not valid JSON: it was read as plain text.');
    readTxt(out);
  }
}

function isValid(text: string): boolean {
  try {
    // A byte order mark says nothing of what follows, and no parser has to refuse it.
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
}

/** The text is known to be valid. What is open is kept in a list: deep nesting would overflow the call stack. */
function scan(out: PlainText): void {
  const text = out.original;
  const open: Level[] = [];
  let level: Level = { isList: true, path: '', within: '', label: '', key: null, items: 0 };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (code === 0x7b || code === 0x5b) {
      const isList = code === 0x5b;
      const path = open.length === 0 ? '' : pathInto(level, at);
      open.push(level);
      level = { isList, path, within: isList ? level.within : path, label: level.label, key: null, items: 0 };
    } else if (code === 0x7d || code === 0x5d) {
      level = open.pop() ?? level;
      level.key = null;
      level.items++;
    } else if (code === 0x22) {
      end = endOfString(text, at);
      if (level.isList || level.key) putValue(out, level, at, end);
      else {
        level.key = [at + 1, end - 1];
        level.label = JSON.parse(text.slice(at, end));
      }
    } else if (isWord(code)) {
      while (isWord(text.charCodeAt(end))) end++;
      putValue(out, level, at, end);
    }
    at = end;
  }
}

function pathInto({ isList, path, label, items }: Level, at: number): string {
  const into = isList ? `${path}[${items}]` : `${path}${path && '.'}${label}`;
  // Past the bound, its place still tells one object from another.
  return into.length > MAX_PATH ? `@${at}` : into;
}

function putValue(out: PlainText, level: Level, from: number, to: number): void {
  const text = out.original;
  const { within, label, key } = level;
  level.key = null;
  level.items++;
  if (level.isList && level.items > MAX_BARE_ITEMS) return;
  if (text.charCodeAt(from) === 0x6e) return; // null: there is no value
  const isString = text.charCodeAt(from) === 0x22;
  if (isString && to - from === 2) return;
  out.begin('field', { within });
  if (key) copyUnescaped(out, ...key);
  out.cell(label, ': ');
  if (isString) copyUnescaped(out, from + 1, to - 1);
  else out.copy(from, to);
}

const ESCAPED: Record<string, string> = { b: ' ', f: ' ', r: ' ', t: ' ' };

function copyUnescaped(out: PlainText, from: number, to: number): void {
  const text = out.original;
  let copied = from;
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== 0x5c) continue;
    out.copy(copied, at);
    const escaped = text.charAt(at + 1);
    copied = at + (escaped === 'u' ? 6 : 2);
    if (escaped === 'n') out.breakLine();
    else if (escaped === 'u') out.put(String.fromCharCode(Number.parseInt(text.slice(at + 2, copied), 16)), at, copied);
    else out.put(ESCAPED[escaped] ?? escaped, at, copied);
    at = copied - 1;
  }
  out.copy(copied, to);
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) at += code === 0x5c ? 2 : 1;
  return at + 1;
}

/** Of a number, true, false or null. */
function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x45
  );
}
