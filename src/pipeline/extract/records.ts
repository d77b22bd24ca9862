/** Finds the records of a document: its key-value lines, its table rows and the objects of its JSON, each with what tells it from others. */
import { stem } from '../lexicon/stem.ts';
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { asWord } from '../term.ts';
import { findQuantities } from '../values/find.ts';
import { objectsOf, recordOfField } from './json-records.ts';
import { isClosedList } from './lists.ts';
import {
  identifying,
  identityOf,
  isClaimed,
  isDescribed,
  isShort,
  type Key,
  keyOf,
  keyOfLines,
  type Lines,
  linesOf,
  linesOfDocument,
  named,
  periodsOf,
  repeatedLabels,
  textOf,
} from './record-keys.ts';
import type { Record } from './structured.ts';
import { type Title, timeOf } from './titles.ts';
import { labelWords } from './words.ts';

/** By the number of its block. A cell that nothing identifies is in no record. */
export function recordsOf(
  reading: Reading,
  titleAt: (block: number) => Title,
  timeAt: (block: number) => string,
): Map<number, Record> {
  const records = new Map<number, Record>();
  const { blocks } = reading;
  const objects = objectsOf(reading);
  nameByTitle(reading, objects, titleAt);
  const placeOf = (block: number): Place => ({ title: titleAt(block), time: timeAt(block) });
  for (let from = 0; from < blocks.length; ) {
    const block = blocks[from] as Block;
    let to = from + 1;
    if (block.kind === 'field' && block.within !== undefined) {
      const record = recordOfField(objects, block);
      if (record) records.set(from, { ...record, time: record.time || timeAt(from) });
    } else if (block.kind === 'field') {
      while (to < blocks.length && isLine(blocks[to] as Block)) to++;
      addLines(reading, from, to, placeOf(from), records);
    } else if (block.kind === 'row') {
      while (blocks[to]?.kind === 'row') to++;
      addRows(reading, from, to, placeOf(from), records);
    } else if (block.kind === 'item') {
      while (blocks[to]?.kind === 'item') to++;
      addList(reading, blocks.slice(from, to), from, placeOf(from), records);
    }
    from = to;
  }
  return records;
}

/** A sheet that says nowhere of what it is, but by its heading. JSON has none. */
function nameByTitle(reading: Reading, objects: Objects, titleAt: (block: number) => Title): void {
  const whole = objects.get('');
  const title = whole && reading.blocks[0]?.kind === 'heading' ? titleAt(0) : null;
  if (!whole || !title || title.identity === '') return;
  const isNamed = whole.isKnown || (whole.key === null && whole.identity !== '');
  if (isNamed) return;
  const identity = `${title.identity}${periodsOf(reading, whole.lines)}`;
  objects.set('', { ...whole, identity, subject: title.subject, name: title.name, above: [], key: null, isTold: true });
}

type Objects = ReturnType<typeof objectsOf>;

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
  const found = keyOfLines(reading, cells);
  const isOfTitle = title.identity !== '' && !(found && found.key === cells[0] && found.isKnown);
  const lines = linesOf(cells);
  const own = isOfTitle || !found ? null : found;
  const telling = own ? tellingLines(blocks, lines, own.key) : lines;
  if (!own && title.identity === '') return;
  const repeated = repeatedLabels(cells);
  const about = own
    ? { identity: identityOf(reading, own.key, telling), ...named(reading, own), above: aboveOf(title, own.key) }
    : {
        identity: `${title.identity}${periodsOf(reading, lines)}`,
        subject: title.subject,
        name: title.name,
        above: [],
      };
  const time = timeOf(reading, lines) || place.time;
  blocks.forEach((block, nth) => {
    if (isDescribed(own?.key, block.cells)) return;
    const claimed = block.cells.filter((cell) => isClaimed(cell, own?.key, lines) && !repeated.has(cell.label));
    records.set(from + nth, { ...about, prefix: [], time, block, cells: claimed });
  });
}

/** Lines of the text may follow right below those of front matter, and are of the same record. */
function tellingLines(blocks: Block[], lines: Lines, key: Cell): Lines {
  const ofDocument = new Set(blocks.flatMap(({ isFrontMatter, cells }) => (isFrontMatter ? cells : [])));
  if (!ofDocument.has(key)) return lines;
  const kept = new Set(linesOfDocument(lines, key));
  return lines.filter((line) => kept.has(line) || !ofDocument.has(line));
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
    return { block, lines, found: keyOf(reading, block.cells) ?? firstOf(reading, block.cells, lines) };
  });
  const identities = rows.map(({ found, lines }) => {
    if (!found) return '';
    return lines.includes(found.key) ? periodsOf(reading, lines) : identityOf(reading, found.key, lines);
  });
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

/** All items together are one value of what the headings above them name. */
function addList(
  reading: Reading,
  items: Block[],
  at: number,
  { title, time }: Place,
  records: Map<number, Record>,
): void {
  // A line between them may say that these are others, or of which day they are.
  if (reading.blocks[at - 1]?.kind !== 'heading' || !isClosedList(reading, items, title)) return;
  const [first, last] = [items[0] as Block, items.at(-1) as Block];
  const span = { start: first.start, end: last.end };
  const { identity, subject, name } = title;
  const cells = [{ label: title.last, ...span }];
  records.set(at, {
    identity,
    subject,
    name,
    above: [],
    prefix: [],
    time,
    block: { ...first, ...span },
    cells,
    isList: true,
  });
}

/** Rows of nothing but figures are known by their dates. */
function firstOf(reading: Reading, cells: Cell[], lines: Lines): Pick<Key, 'key' | 'name'> | null {
  const first = cells.find((cell) => !lines.includes(cell));
  if (!first || !isShort(first)) return null;
  const key = lines[0] && !identifying(reading, first) ? lines[0] : first;
  return { key, name: key };
}

/** The headings, and what the key is the key of: 'employee' in 'Employee E-4013'. */
const aboveOf = ({ stems }: Title, { label }: Cell) =>
  [...new Set([...stems, ...labelWords(label).map(stem)])].map(asWord);
