/** Lists and maps that stand in a line, as `[GSM, LTE]` and `{capacity: 3905, tech: 'Li-Ion'}` do. */
import { isBlank, skipBlanks, trimBlanks } from '../blanks.ts';
import { isBracketed } from '../bracketed.ts';
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
export const MAX_ITEMS = 100;

/** `at`: where it stands, which past the bound still tells one object from another. */
export function pathInto(within: string, label: string, at: number): string {
  const into = `${within}${within && '.'}${label.replaceAll('.', ' ')}`;
  return into.length > MAX_PATH ? `@${at}` : into;
}

/** Takes a value, and where its label stands, if it has one of its own. */
export type Put = (slot: Slot, key: Span | null, from: number, to: number) => void;

/** Puts the value, or each of those that it holds. */
export function eachValue(text: string, slot: Slot, key: Span | null, [from, to]: Span, put: Put): void {
  if (isBracketed(text, from, to)) readFlow(text, slot, from, to, put);
  else put(slot, key, from, to);
}

/** A text of several lines may stand between three quotes. */
const QUOTES = ['"""', "'''", '"', "'"];

export function unquoted(text: string, from: number, to: number): Span {
  const quotes = QUOTES.find((mark) => text.startsWith(mark, from)) ?? '';
  const isQuoted = to - from >= 2 * quotes.length && text.startsWith(quotes, to - quotes.length);
  return isQuoted ? [from + quotes.length, to - quotes.length] : [from, to];
}

/** Where a line ends without the comment behind it: a hash between blanks, for 'Hall #4' has none. */
export function endBeforeComment(text: string, from: number, to: number): number {
  if (!text.slice(from, to).includes('#')) return to;
  let quote = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if ((code === 0x22 || code === 0x27) && !WITHIN_WORD.test(text.charAt(at - 1))) quote = code;
    else if (code === 0x23 && at > from && isBlankOrEnd(text, at - 1, to) && isBlankOrEnd(text, at + 1, to))
      return trimBlanks(text, from, at);
  }
  return to;
}

/** After these a quote is an apostrophe or the end of a quotation. */
const WITHIN_WORD = /[\p{L}\p{N}.,!?]/u;

const isBlankOrEnd = (text: string, at: number, end: number) => at >= end || isBlank(text.charCodeAt(at));

const isLineEnd = (code: number) => code === 0x0a || code === 0x0d;

interface Level extends Slot {
  isMap: boolean;
  items: number;
  /** The label of the value that comes next. */
  key: Span | null;
}

function readFlow(text: string, slot: Slot, start: number, end: number, put: Put): void {
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
    } else if (code === 0x2c || code === 0x3a || isBlank(code)) {
      if (code === 0x2c && level) level.key = null;
      at++;
    } else if (code === 0x23) {
      // A comment, to the end of its line.
      while (at < end && !isLineEnd(text.charCodeAt(at))) at++;
    } else {
      const stop = endOfScalar(text, at, end);
      if (level) take(text, level, at, trimBlanks(text, at, stop), put);
      at = stop;
    }
  }
}

/** In a map a value is first its label. */
function take(text: string, level: Level, from: number, to: number, put: Put): void {
  if (!level.isMap) {
    if (++level.items <= MAX_ITEMS) put(level, null, from, to);
  } else if (level.key) {
    put({ within: level.within, label: text.slice(...level.key) }, level.key, from, to);
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
    const length = text.slice(from + 1, end).indexOf(quote);
    return length < 0 ? end : from + length + 2;
  }
  let at = from;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5d || code === 0x7d) break;
    if (code === 0x3a && (isBlank(text.charCodeAt(at + 1)) || at + 1 === end)) break;
  }
  return at;
}
