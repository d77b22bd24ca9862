/** Tells by which cells a record is known: its key, its name, and the period or the line that it is for. */
import type { Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { findQuantities } from '../values/find.ts';
import { labelWords } from './words.ts';

/** Cells that say which line or time of a thing the record is. */
export type Lines = Cell[];

export interface Key {
  key: Cell;
  /** By what people know it. */
  name: Cell;
  /** Its label says that it is a key. */
  isKnown: boolean;
}

const ID =
  /^(?:sku|code|codename|key|slug|uuid|guid|identifier|hostname|serial(?:[ _-]?(?:no|number))?|isbn|(?:.{1,30}[ _-])?id|.{1,30}Id)$/;
const NAME = /^(?:(?:full|company|product|project|customer|employee|item|display|legal|trading)[ _-]?)?name$|^title$/i;
/** What records are mostly of. */
const THING =
  /^(?:company|product|project|employee|item|country|person|patient|subject|entity|contract|asset|host|server|service|invoice|order|ticket|policy|account)(?:[ _-]?(?:no\.?|number|ref|reference))?$/i;
/** A period or a line: with the key it tells one row from the next. */
const LINE =
  /^(?:date|day|week|month|quarter|year|fiscal[ _-]?year|season|hour|time|timestamp|period|as[ _-]?of|reporting[ _-]?(?:date|period)|line|line[ _-]?(?:no|number|item)|position|pos|row|step|seq|sequence|index|variant|version|revision|rev|edition|(?:reporting|accounting|billing|pay|financial|calendar)[ _-]?(?:week|month|quarter|year|period)|(?:week|month|quarter|year|period)[ _-]?(?:ending|end|ended)|(?:measured|recorded|observed|sampled|taken|inspected|tested|visited|surveyed|checked|logged|read)[ _-]?(?:on|at|date|time)|(?:measurement|sampling|sample|reading|visit|inspection|test|survey|audit|meeting|session|shift|report|review|statement|observation)[ _-]?(?:date|day|time))$/i;
/** `"total": {"text": "98 sq km"}` says what `"total": "98 sq km"` does. */
export const isBareValue = ({ label }: Cell) => /^(?:text|value|#text|@value)$/i.test(label.trim());
/** It says something, and names nothing. */
const isFree = (cell: Cell) => isBareValue(cell) || /^notes?$/i.test(cell.label.trim());
/** Words of a label that do not say what is named. */
const EMPTY = new Set(['id', 'no', 'number', 'code', 'name', 'ref', 'reference', 'key', 'title', 'codename', 'sku']);
/** A key is short; what is longer is a text. */
const MAX_KEY = 80;
/** More cells than these are not what a record is for. */
const MAX_LINES = 8;
/** So few words with a full stop are a name such as 'Acme Inc.'. */
const MAX_NAME = 4;

export function linesOf(cells: Cell[]): Lines {
  return cells.filter((cell) => isShort(cell) && LINE.test(cell.label.trim())).slice(0, MAX_LINES);
}

/** Whether it may be part of what tells a record from others, which stands with each of its claims. */
export const isShort = ({ start, end }: Cell) => end - start <= MAX_KEY;

/** The cell that its label shows to be a key, else the first, if it can tell one record from another. `isPart`: an object in another. */
export function keyOf(reading: Reading, cells: Cell[], isPart = false): Key | null {
  const usable = cells.filter(isShort);
  const id = usable.find(({ label }) => ID.test(label.trim()));
  const name = usable.find(({ label }) => NAME.test(label.trim()));
  const known = id ?? name ?? usable.find(({ label }) => THING.test(label.trim()));
  if (known) return { key: known, name: name ?? known, isKnown: true };
  const first = cells.find(({ label }) => !LINE.test(label.trim()));
  if (!first || (isPart && isFree(first)) || !identifying(reading, first)) return null;
  return { key: first, name: first, isKnown: false };
}

/** An object that is called so says what the whole is called: `"name": {"common": "Algeria", …}`. */
const OWN_NAMES =
  /^(?:(?:country|company|product|project|organi[sz]ation|full|display|official|legal)[ _-])?names?(?:\.|$)/i;
/** By which it has parts of a name or the name in several languages, and is no field that is called 'name'. */
const PART_OF_NAME =
  /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|text|value|#text|@value|(?:common|official|native|first|last|given|family|middle|surname|maiden|preferred|short|long|full|legal|trading|local|english)(?:[ _-]?(?:name|form))?)$/i;
/** A part may name the whole, too: `"Government": {"Country name": {"long form": …, "short form": …}}`. */
const NAMES_IN_PART = /^[^.[]+\.country[ _-]names?(?:\.|$)/i;
const FORM = /(?:long|short) form$/i;
/** These alone are those of many. */
const GIVEN = /^(?:first|given|preferred|middle)(?:[ _-]?name)?$/i;
const MAX_NAMES = 6;

interface Named {
  label: string;
  cell: Cell;
}

/** The cells of the first object that names what the JSON is of; none where there is no such object. `isOfParts`: it has nothing else. */
export function namesOfWhole(reading: Reading, isOfParts: boolean): Cell[] {
  const own = namesWithin(reading, OWN_NAMES);
  const inPart = isOfParts && own.length === 0 ? namesWithin(reading, NAMES_IN_PART) : [];
  const forms = inPart.length > 1 ? inPart.filter(({ label }) => FORM.test(label)) : [];
  const isOwn = own.length > 0 && own.length <= MAX_NAMES && own.every(({ label }) => PART_OF_NAME.test(label));
  const names = (isOwn ? own : forms).slice(0, MAX_NAMES);
  const short = names.filter(({ cell }) => isShort(cell));
  // What is left of a name without its long part may be that of many.
  const isWhole = !isOwn || short.length === names.length || short.length > 1;
  const tells = isWhole && short.some(({ label, cell }) => !GIVEN.test(label) && identifying(reading, cell));
  return tells ? short.map(({ cell }) => cell) : [];
}

/** Where an object only holds a value, its own label says what that is. */
function namesWithin({ blocks }: Reading, like: RegExp): Named[] {
  const object = blocks.map(({ within = '' }) => like.exec(within)?.[0]).find((found) => found !== undefined);
  if (object === undefined) return [];
  return blocks
    .filter(({ within = '' }) => isIn(within, object))
    .flatMap(({ within = '', cells }) => {
      const around = within.length > object.length ? within.slice(within.lastIndexOf('.') + 1) : '';
      return cells.map((cell) => ({ label: (isFree(cell) && around ? around : cell.label).trim(), cell }));
    });
}

const isIn = (within: string, object: string) =>
  within === object || `${within}.`.startsWith(object.replace(/\.?$/, '.'));

/** Whether the key tells a thing from all others, wherever it stands: 'Acme' and 'T-4' do, the 'city' of a list of layers does not. */
export function isTelling({ text }: Reading, { key, name, isKnown }: Key): boolean {
  return isKnown && [key, name].some(({ label, start, end }) => signOf(label).test(text.slice(start, end)));
}

/** Scripts without capitals have none in their names either. */
const signOf = (label: string) => (ID.test(label.trim()) ? /\d/ : /[\p{Lu}\p{Lo}\d]/u);

/** A few words or a code: neither a figure nor a date nor an answer. */
export function identifying({ text }: Reading, cell: Cell): boolean {
  if (!isShort(cell)) return false;
  const value = text.slice(cell.start, cell.end);
  if (!/\p{L}/u.test(value) || /^(?:true|false|yes|no|none|n\/a|null)$/i.test(value)) return false;
  if (/[.!?]$/.test(value) && value.split(' ').length > MAX_NAME) return false;
  return !findQuantities(value).some((found) => found.end - found.start > value.length / 2);
}

/** What tells a record from others, in one form: what its key is the key of, the key, and the line or period. */
export function identityOf(reading: Reading, key: Cell, lines: Lines): string {
  const label = labelWords(key.label).filter((word) => !EMPTY.has(word));
  const value = plain(reading.text.slice(key.start, key.end));
  if (value === '') return '';
  return `${label.join(' ')}:${value}${periodsOf(
    reading,
    lines.filter((line) => line !== key),
  )}`;
}

export function periodsOf({ text }: Reading, lines: Lines): string {
  return lines
    .map(({ label, start, end }) => `|${labelWords(label).join(' ')}=${plain(text.slice(start, end))}`)
    .join('');
}

/** 'EX-117', 'ex 117' and 'EX–117.' are one key. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}
