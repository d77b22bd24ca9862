/** Finds the records of a document: its key-value lines, its table rows and the objects of its JSON, each with what tells it from others. */
import { stem } from '../lexicon/stem.ts';
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { asWord } from '../term.ts';
import { findQuantities } from '../values/find.ts';
import {
  identifying,
  identityOf,
  isBareValue,
  isShort,
  isTelling,
  keyOf,
  type Lines,
  linesOf,
  namesOfWhole,
  periodsOf,
  plain,
} from './record-keys.ts';
import type { Record } from './structured.ts';
import { type Title, timeIn } from './titles.ts';
import { labelWords, subjectStems } from './words.ts';

/** By the number of its block. A cell that nothing identifies is in no record. */
export function recordsOf(
  reading: Reading,
  titleAt: (block: number) => Title,
  timeAt: (block: number) => string,
): Map<number, Record> {
  const records = new Map<number, Record>();
  const { blocks } = reading;
  const objects = objectsOf(reading);
  const placeOf = (block: number): Place => ({ title: titleAt(block), time: timeAt(block) });
  for (let from = 0; from < blocks.length; ) {
    const block = blocks[from] as Block;
    let to = from + 1;
    if (block.kind === 'field' && block.within !== undefined) {
      const record = recordOfField(reading, objects, block);
      if (record) records.set(from, record);
    } else if (block.kind === 'field') {
      while (to < blocks.length && isLine(blocks[to] as Block)) to++;
      addLines(reading, from, to, placeOf(from), records);
    } else if (block.kind === 'row') {
      while (blocks[to]?.kind === 'row') to++;
      addRows(reading, from, to, placeOf(from), records);
    }
    from = to;
  }
  return records;
}

/** Where a record stands: under which title, and for which time. */
interface Place {
  title: Title;
  time: string;
}

const isLine = ({ kind, within }: Block) => kind === 'field' && within === undefined;

/** Key-value lines under each other are one record. A title that names something is what they are of, unless they begin with a key. */
function addLines(reading: Reading, from: number, to: number, place: Place, records: Map<number, Record>): void {
  const { title } = place;
  const blocks = reading.blocks.slice(from, to);
  const cells = blocks.flatMap((block) => block.cells);
  const found = keyOf(reading, cells);
  const isOfTitle = title.identity !== '' && !(found && found.key === cells[0] && found.isKnown);
  const lines = linesOf(cells);
  const own = isOfTitle || !found ? null : found;
  if (!own && title.identity === '') return;
  const repeated = repeatedLabels(cells);
  const about = own
    ? { identity: identityOf(reading, own.key, lines), ...named(reading, own), above: aboveOf(title, own.key) }
    : {
        identity: `${title.identity}${periodsOf(reading, lines)}`,
        subject: title.subject,
        name: title.name,
        above: [],
      };
  const time = timeOf(reading, lines) || place.time;
  blocks.forEach((block, nth) => {
    const claimed = block.cells.filter((cell) => isClaimed(cell, own?.key, lines) && !repeated.has(cell.label));
    records.set(from + nth, { ...about, prefix: [], time, block, cells: claimed });
  });
}

/** Rows of one table: where the key column names several rows alike, the next columns are part of the key. */
function addRows(reading: Reading, from: number, to: number, place: Place, records: Map<number, Record>): void {
  const { title } = place;
  if (isPropertyTable(reading, from, to)) {
    addProperties(reading, from, to, place, records);
    return;
  }
  const rows = reading.blocks.slice(from, to).map((block) => {
    const lines = linesOf(block.cells);
    return { block, lines, found: keyOf(reading, block.cells) ?? firstOf(block.cells, lines) };
  });
  const identities = rows.map(({ found, lines }) => (found ? identityOf(reading, found.key, lines) : ''));
  const seen = new Map<string, number>();
  for (const identity of identities) seen.set(identity, (seen.get(identity) ?? 0) + 1);
  rows.forEach(({ block, lines, found }, nth) => {
    const identity = identities[nth] as string;
    if (!found || identity === '') return;
    // What several rows say of one thing is told apart by what each says first.
    const more =
      seen.get(identity) === 1
        ? null
        : block.cells.find((cell) => cell !== found.key && identifying(reading, cell) && !lines.includes(cell));
    if (seen.get(identity) !== 1 && !more) return;
    const whole = more ? `${identity}|${reading.text.slice(more.start, more.end).toLowerCase()}` : identity;
    records.set(from + nth, {
      identity: whole,
      ...named(reading, found),
      above: aboveOf(title, found.key),
      prefix: [],
      time: timeOf(reading, lines) || place.time,
      block,
      cells: block.cells.filter((cell) => cell !== more && isClaimed(cell, found.key, lines)),
    });
  });
}

/**
 * Two columns of which the second has values of several kinds give one thing's properties, row by row: a list of things
 * has the same kind of value for each.
 */
function isPropertyTable(reading: Reading, from: number, to: number): boolean {
  const rows = reading.blocks.slice(from, to);
  if (rows.some(({ cells }) => cells.length > 2)) return false;
  const pairs = rows.filter(({ cells }) => cells.length === 2);
  const [first] = pairs;
  if (!first || pairs.length < 2 || pairs.some(({ cells }) => !identifying(reading, cells[0] as Cell))) return false;
  if (PROPERTY.test(first.cells[0]?.label.trim() ?? '')) return true;
  return new Set(pairs.map(({ cells }) => kindOf(textOf(reading, cells[1] as Cell)))).size > 1;
}

const PROPERTY = /^(?:property|properties|field|attribute|parameter|characteristic|detail|specification|feature|key)$/i;

function kindOf(value: string): string {
  const [found, ...more] = findQuantities(value);
  return found && more.length === 0
    ? `${found.value.dimension} ${found.value.unit}`
    : /\d/.test(value)
      ? 'code'
      : 'words';
}

/** Each row is a field of what the title names. */
function addProperties(reading: Reading, from: number, to: number, place: Place, records: Map<number, Record>): void {
  const { title, time } = place;
  if (title.identity === '') return;
  const about = { identity: title.identity, subject: title.subject, name: title.name, above: [], prefix: [], time };
  for (let at = from; at < to; at++) {
    const block = reading.blocks[at] as Block;
    const [label, value] = block.cells;
    if (label && value) records.set(at, { ...about, block, cells: [{ ...value, label: textOf(reading, label) }] });
  }
}

/** The date that its lines give. */
const timeOf = (reading: Reading, lines: Lines) => timeIn(lines.map((line) => textOf(reading, line)).join('; '));

function firstOf(cells: Cell[], lines: Lines): { key: Cell; name: Cell } | null {
  const first = cells.find((cell) => !lines.includes(cell));
  return first && isShort(first) ? { key: first, name: first } : null;
}

const isClaimed = (cell: Cell, key: Cell | undefined, lines: Lines) => cell !== key && !lines.includes(cell);

/** By its key and by its name, as a text may have either. */
function named(reading: Reading, { key, name }: { key: Cell; name: Cell }): Pick<Record, 'subject' | 'name'> {
  const text = textOf(reading, name);
  return { subject: [...new Set([...subjectStems(textOf(reading, key)), ...subjectStems(text)])], name: text };
}

/** The headings, and what the key is the key of: 'employee' in 'Employee E-4013'. */
const aboveOf = ({ stems }: Title, { label }: Cell) =>
  [...new Set([...stems, ...labelWords(label).map(stem)])].map(asWord);

/** So many of the objects that hold a field tell it from others: the identity of each stands in those of all that it holds. */
const MAX_STEPS = 8;

const NOBODY = { subject: [], name: '', above: [] };

interface JsonObject extends Pick<Record, 'identity' | 'subject' | 'name' | 'above'> {
  key: Cell | null;
  lines: Lines;
  /** Labels that hold several values. */
  repeated: Set<string>;
  /** It is known wherever it stands, and need not be told by what holds it. */
  isTold: boolean;
  /** The label of its key says that it is one. */
  isKnown: boolean;
}

function objectsOf(reading: Reading): Map<string, JsonObject> {
  const objects = new Map<string, JsonObject>();
  for (const [within, blocks] of Map.groupBy(reading.blocks, (block) => block.within)) {
    if (within === undefined) continue;
    const list = blocks.flatMap(({ cells }) => cells);
    const found = keyOf(reading, list, within !== '' && !within.endsWith(']'));
    const lines = linesOf(list);
    const about = found
      ? { ...named(reading, found), above: labelWords(found.key.label).map(stem).map(asWord) }
      : NOBODY;
    const identity = found ? identityOf(reading, found.key, lines) : '';
    const isTold = found !== null && (ROOT.test(within) || isTelling(reading, found));
    const isKnown = found?.isKnown === true;
    const own = { key: found?.key ?? null, lines, repeated: repeatedLabels(list), isTold, isKnown };
    objects.set(within, { identity, ...about, ...own });
  }
  if (objects.size === 0) return objects;
  const whole = objects.get('');
  // Where anything else has a name or a key, a part may well name something else than the whole.
  const isOfParts = !whole && !objects.values().some(({ isKnown }) => isKnown);
  const names = whole?.isKnown ? [] : namesOfWhole(reading, isOfParts);
  if (names.length > 0)
    objects.set('', { ...(whole ?? NOTHING), ...namedBy(reading, names, whole?.lines ?? []), key: null });
  return objects;
}

const NOTHING = { key: null, lines: [], repeated: new Set<string>(), isKnown: false };

/** By all of its names: a first name alone is that of many. */
function namedBy(
  reading: Reading,
  names: Cell[],
  lines: Lines,
): Pick<JsonObject, 'identity' | 'subject' | 'name' | 'above' | 'isTold'> {
  const texts = names.map((name) => textOf(reading, name));
  const byLength = texts.toSorted((one, other) => one.length - other.length);
  return {
    identity: `name:${texts.map(plain).join('|')}${periodsOf(reading, lines)}`,
    subject: [...new Set(byLength.flatMap(subjectStems))],
    name: byLength[0] ?? '',
    above: [],
    isTold: true,
  };
}

/** The whole of it, or one of a list that is the whole. */
const ROOT = /^(?:\[\d+\])?$/;

/** An object without a key is part of the one that holds it; one of a list without a key cannot be told from the next. */
function recordOfField(reading: Reading, objects: Map<string, JsonObject>, block: Block): Record | null {
  const within = block.within ?? '';
  if (within.startsWith('@')) return null;
  const own = objects.get(within);
  const prefix: string[] = [];
  const steps: string[] = [];
  let about: Pick<Record, 'subject' | 'name' | 'above'> | null = null;
  let time = '';
  let isTold = false;
  for (let path = within; ; ) {
    const object = objects.get(path);
    isTold ||= object?.isTold === true;
    time ||= timeOf(reading, object?.lines ?? []);
    if (object && object.identity !== '') {
      about ??= object;
      steps.unshift(object.identity);
    } else if (path.endsWith(']')) return null;
    if (path === '') break;
    const cut = path.lastIndexOf('.');
    // What is between a named object and the one that holds it only says where it stands.
    const step = path.slice(cut + 1).replace(/\[\d+\]/g, '');
    if (about) steps.unshift(step);
    else prefix.unshift(step);
    path = path.slice(0, Math.max(0, cut));
  }
  if (!about || !isTold) return null;
  const cells = block.cells.filter(
    (cell) => isClaimed(cell, own?.key ?? undefined, own?.lines ?? []) && !own?.repeated.has(cell.label),
  );
  const { subject, name, above } = about;
  const found = { identity: steps.slice(-MAX_STEPS).join(' / '), subject, name, above, time, block };
  const label = prefix.at(-1)?.trim();
  if (label === undefined || !cells.some(isBareValue)) return { ...found, prefix, cells };
  return {
    ...found,
    prefix: prefix.slice(0, -1),
    cells: cells.filter(isBareValue).map((cell) => ({ ...cell, label })),
  };
}

function repeatedLabels(cells: Cell[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { label } of cells) (seen.has(label) ? repeated : seen).add(label);
  return repeated;
}

function textOf({ text }: Reading, { start, end }: Cell): string {
  return text.slice(start, end);
}
