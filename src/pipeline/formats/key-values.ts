/** A text that is all key-value lines, with lists and nested blocks between them, in the simple part of YAML: it is one record. */
import { skipBlanks } from '../blanks.ts';
import { isBracketed } from '../bracketed.ts';
import { findBareLabel, findField } from '../fields.ts';
import type { PlainText } from '../plain-text.ts';
import type { Span } from '../span-map.ts';
import { eachValue, endBeforeComment, MAX_ITEMS, pathInto, type Slot, unquoted } from './flow.ts';
import { afterItemMark, type Line, ruleMark } from './lines.ts';

interface Entry {
  /** The column at which it begins: what it holds begins further in. */
  indent: number;
  isItem: boolean;
  /** The column of its label, or of the text of an item. */
  column: number;
  label: Span | null;
  /** Its lines. None for a label without a value. */
  value: Line[];
  /** Its first line is a list or a map by itself. */
  isData: boolean;
}

/** With fewer lines of its own a text may as well be prose. */
const MIN_FIELDS = 4;
/** Lines after such a value are its text, whatever they look like. */
const TEXT_BELOW = /^[|>][+-]?$/;
/** Words of a value. */
const MAX_VALUE = 3;

/** What such a text consists of. */
interface Sheet {
  /** The line with a hash above all else, if there is just one; more are a comment, as are those further below. */
  heading: Line | null;
  entries: Entry[];
}

/** Whether the text is such a one, which then has been read. */
export function readKeyValues(out: PlainText, lines: Line[]): boolean {
  const sheet = sheetOf(out.original, lines);
  if (!sheet || !isRecord(out.original, sheet.entries)) return false;
  if (sheet.heading) putHeading(out, sheet.heading);
  put(out, sheet.entries);
  return true;
}

/** Null where a line is neither an entry nor the rest of one, which in prose is the first. */
function sheetOf(text: string, lines: Line[]): Sheet | null {
  const entries: Entry[] = [];
  const above: Line[] = [];
  for (const line of lines) {
    if (line.from === line.to) continue;
    const last = entries.at(-1);
    const indent = columnOf(text, line.from);
    if (last && isRestOf(last, indent) && isTextBelow(text, last.value)) {
      last.value.push(line);
      continue;
    }
    if (text.charCodeAt(line.from) === HASH) {
      if (!last) above.push(line);
      continue;
    }
    if (!last && ruleMark(text, line) === '-') continue;
    const own = { from: line.from, to: endBeforeComment(text, line.from, line.to) };
    const entry = last && isRestOf(last, indent) ? null : entryAt(text, own, indent);
    if (entry) entries.push(entry);
    else if (last && indent > last.indent) last.value.push(own);
    else return null;
  }
  return { heading: above.length === 1 ? (above[0] as Line) : null, entries };
}

const HASH = 0x23;

function isTextBelow(text: string, [first]: Line[]): boolean {
  return first !== undefined && TEXT_BELOW.test(text.slice(first.from, Math.min(first.to, first.from + 3)));
}

/** A field there, such as a licence, is about the file, and so are whose it is, by what it was made and what nobody shall do with it. */
const ABOUT_FILE =
  /^(?:©|\(c\)|copyright\b)|\b(?:do not|(?:generated|managed|created|maintained|written|provided|owned|added) by) /i;
/** So is a sentence, which has a word without a capital: 'Acme Inc.' is none. It is looked at from its beginning alone. */
const SENTENCE = /^(?=.*[.!?]$).*\s\p{Ll}/u;

function putHeading(out: PlainText, { from, to }: Line): void {
  let mark = from;
  while (mark < to && out.original.charCodeAt(mark) === HASH) mark++;
  const start = skipBlanks(out.original, mark, to);
  const text = out.original.slice(start, to);
  // '#!/bin/sh' is none.
  const isHeading = start > mark && !ABOUT_FILE.test(text) && !SENTENCE.test(text);
  if (!isHeading || findField(out.original, start, to)) return;
  out.begin('heading', { level: 1 });
  out.copy(start, to);
}

/** What has a value holds nothing else: further in, its text goes on. */
const isRestOf = ({ indent, column, label, value, isData }: Entry, at: number) =>
  value.length > 0 && !isData && at > (label ? column : indent);

function entryAt(text: string, line: Line, indent: number): Entry | null {
  const item = afterItemMark(text, line);
  const isItem = item >= 0;
  const from = isItem ? item : line.from;
  const field = findField(text, from, line.to);
  const bare = field ? null : findBareLabel(text, from, line.to);
  if (!field && !bare && !isItem) return null;
  const value = bare ? [] : [{ from: field?.value ?? from, to: line.to }];
  const isData = value.some((first) => isBracketed(text, first.from, first.to));
  return { indent, isItem, column: indent + from - line.from, label: field?.label ?? bare, value, isData };
}

function columnOf(text: string, from: number): number {
  let start = from;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
  return from - start;
}

/** A byte order mark stands before the first line. */
const isLineEnd = (code: number) => code === 0x0a || code === 0x0d || code === 0xfeff;

/** Each label once, and something between the lines that only data has: lines without that are read as others are. */
function isRecord(text: string, entries: Entry[]): boolean {
  const own = entries.filter(({ indent, isItem }) => indent === 0 && !isItem);
  const fields = own.filter(({ value }) => value.length > 0).length;
  if (entries[0] !== own[0] || fields < MIN_FIELDS || fields * 2 < own.length) return false;
  if (new Set(own.map(({ label }) => label && text.slice(...label))).size < own.length) return false;
  return entries.some(({ value, isData }, index) => isData || (value.length === 0 && holdsNext(entries, index)));
}

/** A list may stand in the column of its label. */
function holdsNext(entries: Entry[], index: number): boolean {
  const [{ column }, next] = [entries[index] as Entry, entries[index + 1]];
  return next !== undefined && (next.indent > column || (next.isItem && next.indent === column));
}

/** A map that is open: what stands in its column is part of it. */
interface OpenMap {
  column: number;
  within: string;
  /** Its last label, if that has no value but what comes next, how many items it has, and whether they are objects. */
  pending: string;
  items: number;
  hasObjects: boolean;
}

const openMap = (column: number, within: string): OpenMap => ({
  column,
  within,
  pending: '',
  items: 0,
  hasObjects: false,
});

function put(out: PlainText, entries: Entry[]): void {
  const maps = [openMap(0, '')];
  entries.forEach((entry, index) => {
    while (maps.length > 1 && (maps.at(-1) as OpenMap).column > entry.indent) maps.pop();
    const around = maps.at(-1) as OpenMap;
    if (entry.label === null) putItem(out, around, entry);
    else putEntry(out, mapOf(maps, entry, entries[index + 1]), entry, entry.label);
  });
}

/** An item of several fields is an object; one of a single field only gives the list that. */
function mapOf(maps: OpenMap[], { indent, isItem, column, value, label }: Entry, next: Entry | undefined): OpenMap {
  const around = maps.at(-1) as OpenMap;
  if (around.pending === '' || (!isItem && indent === around.column)) return around;
  const goesOn = next !== undefined && !next.isItem && next.indent === column;
  const isObject = isItem && (around.hasObjects || value.length === 0 || goesOn);
  around.hasObjects ||= isObject;
  const step = isObject ? `${around.pending}[${around.items++}]` : around.pending;
  const within = pathInto(around.within, step, label?.[0] ?? 0);
  const map = openMap(column, within);
  if (isObject || !isItem) maps.push(map);
  return map;
}

function putEntry(out: PlainText, map: OpenMap, { value }: Entry, key: Span): void {
  const label = out.original.slice(...key);
  map.pending = value.length === 0 ? label : '';
  map.items = 0;
  map.hasObjects = false;
  const slot = { within: map.within, label };
  const [first, ...rest] = value;
  const last = value.at(-1);
  if (!first || !last) return;
  if (rest.length === 0 || isBracketed(out.original, first.from, last.to))
    putValue(out, slot, key, first.from, last.to);
  else putText(out, slot, key, value);
}

function putValue(out: PlainText, slot: Slot, key: Span | null, from: number, to: number): void {
  const text = out.original;
  eachValue(text, slot, key, [from, to], ({ within, label }, own, start, end) => {
    const [first, last] = unquoted(text, start, end);
    if (first >= last || EMPTY.test(text.slice(start, Math.min(end, start + 5)))) return;
    beginField(out, within);
    if (own) out.copy(...own);
    out.cell(label, ': ');
    out.copy(first, last);
  });
}

function beginField(out: PlainText, within: string): void {
  if (within === '') out.begin('field', { within, isLine: true });
  else out.begin('field', { within });
}

const EMPTY = /^(?:null|~)$/;

function putText(out: PlainText, { within, label }: Slot, key: Span, lines: Line[]): void {
  beginField(out, within);
  out.copy(...key);
  out.cell(label, ': ');
  for (const { from, to } of isTextBelow(out.original, lines) ? lines.slice(1) : lines) {
    out.copy(from, to);
    out.blank();
  }
}

/** A few words are a value of the list; more of them say something. */
function putItem(out: PlainText, list: OpenMap, { value }: Entry): void {
  const [{ from }, { to }] = [value[0] as Line, value.at(-1) as Line];
  const { within, pending } = list;
  const isObject = out.original.charCodeAt(from) === 0x7b;
  if (isBracketed(out.original, from, to) || (pending !== '' && isValue(out.original, value))) {
    const nth = list.items++;
    list.hasObjects ||= isObject;
    if (isObject || nth < MAX_ITEMS)
      putValue(out, { within, label: isObject ? `${pending}[${nth}]` : pending }, null, from, to);
    return;
  }
  out.begin('item');
  for (const line of value) {
    out.copy(line.from, line.to);
    out.blank();
  }
}

function isValue(text: string, [line, ...more]: Line[]): boolean {
  if (!line || more.length > 0) return false;
  return text.slice(line.from, line.to).split(/\s+/, MAX_VALUE + 1).length <= MAX_VALUE;
}
