/** Lists and maps that stand in a line, as `[GSM, LTE]` and `{capacity: 3905, tech: 'Li-Ion'}` do. */
import { isBlank, skipBlanks, trimBlanks } from '../blanks.ts';
import { isBracketed } from '../bracketed.ts';
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';

/** Where a value stands: in which object, and by which label. */
export interface Slot {
  within: string;
  label: string;
}

/** Deep nesting would make all paths together longer than the document by its square. */
const MAX_PATH = 200;
/** Deeper data is not read. */
const MAX_DEPTH = 8;
/** A longer list is data, such as samples or a vector, and not so many statements. */
const MAX_ITEMS = 100;

/** `at`: where it stands, which past the bound still tells one object from another. */
export function pathInto(within: string, label: string, at: number): string {
  const into = `${within}${within && '.'}${label.replaceAll('.', ' ')}`;
  return into.length > MAX_PATH ? `@${at}` : into;
}

/** Puts the value as a field, or each of those that it holds. `key` is where its label stands. */
export function putValue(out: PlainText, slot: Slot, key: Span | null, from: number, to: number): void {
  if (isBracketed(out.original, from, to)) readFlow(out, slot, from, to);
  else putScalar(out, slot, key, from, to);
}

export function putScalar(out: PlainText, { within, label }: Slot, key: Span | null, from: number, to: number): void {
  const [start, end] = unquoted(out.original, from, to);
  if (start >= end || /^(?:null|~)$/.test(out.original.slice(from, Math.min(to, from + 5)))) return;
  out.begin('field', { within });
  if (key) out.copy(...key);
  out.cell(label, ': ');
  out.copy(start, end);
}

export function unquoted(text: string, from: number, to: number): Span {
  const quote = text.charAt(from);
  const isQuoted = to - from > 1 && (quote === '"' || quote === "'") && text.charAt(to - 1) === quote;
  return isQuoted ? [from + 1, to - 1] : [from, to];
}

interface Level extends Slot {
  isMap: boolean;
  items: number;
  /** The label of the value that comes next. */
  key: Span | null;
}

function readFlow(out: PlainText, slot: Slot, start: number, end: number): void {
  const text = out.original;
  const open: Level[] = [];
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    const level = open.at(-1);
    if (code === 0x7b || code === 0x5b) {
      if (open.length === MAX_DEPTH) return;
      open.push(levelIn(text, level, slot, code === 0x7b, at));
      at++;
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      at++;
    } else if (code === 0x2c || code === 0x3a || isBlank(code) || code === 0x0a || code === 0x0d) {
      if (code === 0x2c && level) level.key = null;
      at++;
    } else {
      const stop = endOfScalar(text, at, end);
      if (level) take(out, level, at, trimBlanks(text, at, stop));
      at = stop;
    }
  }
}

/** In a map a value is first its label. */
function take(out: PlainText, level: Level, from: number, to: number): void {
  const text = out.original;
  if (!level.isMap) {
    if (++level.items <= MAX_ITEMS) putScalar(out, level, null, from, to);
  } else if (level.key) {
    putScalar(out, { within: level.within, label: text.slice(...level.key) }, level.key, from, to);
    level.key = null;
  } else if (text.charCodeAt(skipBlanks(text, to, text.length)) === 0x3a) level.key = unquoted(text, from, to);
}

function levelIn(text: string, level: Level | undefined, slot: Slot, isMap: boolean, at: number): Level {
  const key = level?.isMap ? level.key : null;
  const within = level?.within ?? slot.within;
  const label = key ? text.slice(...key) : (level?.label ?? slot.label);
  if (level) level.key = null;
  if (!isMap) return { isMap, within, label, items: 0, key: null };
  const isItem = level !== undefined && !level.isMap;
  const path = pathInto(within, isItem ? `${label}[${level.items++}]` : label, at);
  return { isMap, within: path, label, items: 0, key: null };
}

/** Of a word in quotes, or of one that ends where the next begins. */
function endOfScalar(text: string, from: number, end: number): number {
  const quote = text.charAt(from);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, from + 1);
    return close < 0 || close >= end ? end : close + 1;
  }
  let at = from;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5d || code === 0x7d) break;
    if (code === 0x3a && (isBlank(text.charCodeAt(at + 1)) || at + 1 === end)) break;
  }
  return at;
}
