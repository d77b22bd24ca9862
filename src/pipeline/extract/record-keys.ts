/** Tells by which cells a record is known: its key, its name, and the period or the line that it is for. */
import type { Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { cut } from '../storable.ts';
import { findQuantities } from '../values/find.ts';
import { hash53 } from './hash.ts';
import { labelWords, subjectStems } from './words.ts';

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
/** Of which sort a thing is, or how far it has come: that is the same of many. Only in a table it may be what the rows are of. */
const SORT =
  /^(?:status|state|stage|phase|type|kind|sort|category|class|format|layout|template|lang(?:uage)?|locale|licen[cs]e|priority|severity|visibility|draft|published|enabled|active)$/i;
/** Says of what the record is where nothing names that. */
const DESCRIPTION = /^(?:(?:short|long|full|item|product|project)[ _-]?)?(?:description|summary)$|^headline$/i;
/** In words: 'TODO' and 'A web app' describe many things. */
const MIN_DESCRIPTION = 4;
/** Words of a label that do not say what is named. */
const EMPTY = new Set(['id', 'no', 'number', 'code', 'name', 'ref', 'reference', 'key', 'title', 'codename', 'sku']);
/** A key is short; what is longer is a text. */
const MAX_KEY = 80;
/** More cells than these are not what a record is for. */
const MAX_LINES = 8;
/** So few words with a full stop are a name such as 'Acme Inc.'. */
const MAX_NAME = 4;

/** More lines than these begin with no key that only its place tells. */
const MAX_UNKEYED = 16;
/** So many labels are seldom sorted by chance. */
const MIN_SORTED = 6;

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
  if (!first || (isPart && (isFree(first) || cells.some(isBareValue)))) return null;
  if (!identifying(reading, first) && !isNumbered(reading, first)) return null;
  return { key: first, name: first, isKnown: false };
}

/** The key of a record that stands by itself, for no column says what its first cell is: sorted labels have nothing put first. */
export function ownKeyOf(reading: Reading, cells: Cell[], within: 'whole' | 'list' | 'part' = 'whole'): Key | null {
  const found = keyOf(reading, cells, within === 'part');
  const isOfSort = found && !found.isKnown && SORT.test(found.key.label.trim());
  if (found && !isOfSort && (found.isKnown || !areSorted(labelsOf(cells)))) return found;
  // Those of a list, such as payments, may have one description and be told by anything else.
  const description = within !== 'whole' ? undefined : cells.find((cell) => describes(reading, cell));
  return description ? { key: description, name: description, isKnown: false } : null;
}

const describes = (reading: Reading, cell: Cell) =>
  DESCRIPTION.test(cell.label.trim()) && plain(textOf(reading, cell)).split(' ').length >= MIN_DESCRIPTION;

/** A description by which a record is known says something, too, which is read like any other text and is no part of the record. */
export const isDescribed = (key: Cell | undefined | null, cells: Cell[]) =>
  key != null && DESCRIPTION.test(key.label.trim()) && cells.includes(key);

/** That of key-value lines: many begin with their key only if it is a name, or its label says so. */
export function keyOfLines(reading: Reading, cells: Cell[]): Key | null {
  const found = ownKeyOf(reading, cells);
  return found && (isSure(reading, found) || labelsOf(cells).length <= MAX_UNKEYED) ? found : null;
}

/** 'Vessel: MS Aurora', and not 'architecture: arm64'. */
const isSure = (reading: Reading, { key, isKnown }: Key) => isKnown || /\p{Lu}/u.test(textOf(reading, key));

const labelsOf = (cells: Cell[]) => [...new Set(cells.map(({ label }) => label.toLowerCase()))];

const areSorted = (labels: string[]) =>
  labels.length >= MIN_SORTED && labels.every((label, index) => index === 0 || label > (labels[index - 1] ?? ''));

/**
 * Of the lines of front matter those that tell one document from the next: where it has an id of its own, its date is only when it
 * was written, and a copy may lack it.
 */
export const linesOfDocument = (lines: Lines, { label }: Cell): Lines =>
  ID.test(label.trim()) ? lines.filter((line) => !/^date$/i.test(line.label.trim())) : lines;

/** Whether the key tells a thing from all others, wherever it stands: 'Acme' and 'T-4' do, the 'city' of a list of layers does not. */
export function isTelling({ text }: Reading, { key, name, isKnown }: Key): boolean {
  return isKnown && [key, name].some(({ label, start, end }) => signOf(label).test(text.slice(start, end)));
}

/** Scripts without capitals have none in their names either. */
const signOf = (label: string) => (ID.test(label.trim()) ? /\d/ : /[\p{Lu}\p{Lo}\d]/u);

/** 'Pallet: 77-1840', and neither 'Ages: 18-65', 'Score: 3-1' nor 'Capacity: 1000-2000'. */
const isNumbered = (reading: Reading, cell: Cell) =>
  NUMBER_IN_PARTS.test(textOf(reading, cell)) &&
  !isRange(textOf(reading, cell)) &&
  !MEASURE.test(cell.label.trim()) &&
  !findQuantities(textOf(reading, cell)).some(({ value }) => value.dimension === 'date');
const NUMBER_IN_PARTS = /^(?=.{6})\d+(?:[-/]\d+)+$/;
/** From less to more, of about the same size. */
function isRange(value: string): boolean {
  const [from = '', to = '', ...more] = value.split(/[-/]/);
  const areAlike = from.length === 1 || to.length - from.length < 2;
  return more.length === 0 && Number(from) < Number(to) && areAlike;
}
const MEASURE =
  /s$|\b(?:age|size|range|span|score|result|ratio|scale|rate|date|day|time|period|price|value|level|pressure|version)$/i;

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
  const value = (DESCRIPTION.test(key.label.trim()) ? plainWithSigns : plain)(textOf(reading, key));
  if (plain(value) === '') return '';
  // In letters: a code, which has a digit, is that of one thing in every list.
  const shortened =
    value.length > MAX_KEY ? [...`${hash53(value)}`].map((digit) => 'abcdefghij'[Number(digit)]).join('') : value;
  return `${label.join(' ')}:${shortened}${periodsOf(
    reading,
    lines.filter((line) => line !== key),
  )}`;
}

/**
 * Words or a sign beside a bare value say in which unit or language it is, or for whom: `{"value": 98, "unit": "sq km"}`. What gives
 * a figure may be the same value in another form: `{"value": 98, "formatted": "EUR 98"}`.
 */
export function besidesValue(reading: Reading, cells: Cell[]): string {
  const isWord = (cell: Cell) => identifying(reading, cell) || /^[^\p{L}\p{N}]{1,3}$/u.test(textOf(reading, cell));
  const besides = cells.filter((cell) => isWord(cell) && !isFree(cell) && !LINE.test(cell.label.trim()));
  return periodsOf(reading, besides.slice(0, MAX_LINES));
}

/** Whether a record is known by nothing but its lines or periods. */
export const isDated = (identity: string) => identity.startsWith('|');

/** Or by a description. */
export const isOfDescription = (identity: string) =>
  DESCRIPTION.test(identity.slice(0, Math.max(0, identity.indexOf(':'))));

export function periodsOf({ text }: Reading, lines: Lines): string {
  return lines
    .map(({ label, start, end }) => `|${labelWords(label).join(' ')}=${signed(text.slice(start, end))}`)
    .join('');
}

/** '€' and '%' have no other form. */
const signed = (text: string) => plain(text) || text;

/** 'EX-117', 'ex 117' and 'EX–117.' are one key. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

/** 'at -5 °C' and 'at 5 °C' describe two things, and so do 'below' and 'above' in signs, two currencies, 'C#' and 'C', 5 % and 5. */
function plainWithSigns(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('−', '-')
    .replace(/(?:(?!(?<=^|[\s(])-\d)[^\p{L}\p{N}\p{Sc}\p{Sm}%#])+/gu, ' ')
    .trim();
}

/** What is part of its key is no claim. */
export const isClaimed = (cell: Cell, key: Cell | undefined, lines: Lines) => cell !== key && !lines.includes(cell);

/** By its key and by its name, as a text may have either. */
export function named(reading: Reading, { key, name }: Pick<Key, 'key' | 'name'>): { subject: string[]; name: string } {
  const text = cut(textOf(reading, name), MAX_KEY);
  return {
    subject: [...new Set([...subjectStems(cut(textOf(reading, key), MAX_KEY)), ...subjectStems(text)])],
    name: text,
  };
}

/** Labels that have several values. */
export function repeatedLabels(cells: Cell[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { label } of cells) (seen.has(label) ? repeated : seen).add(label);
  return repeated;
}

export function textOf({ text }: Reading, { start, end }: Cell): string {
  return text.slice(start, end);
}
