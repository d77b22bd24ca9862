/** Finds the records of a document: its key-value lines, its table rows and the objects of its JSON, each with what tells it from others. */
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { identifying, identityOf, keyOf, type Lines, linesOf, periodsOf } from './record-keys.ts';
import type { Record } from './structured.ts';
import type { Title } from './titles.ts';
import { subjectStems } from './words.ts';

/** By the number of its block. A cell that nothing identifies is in no record. */
export function recordsOf(reading: Reading, titleAt: (block: number) => Title): Map<number, Record> {
  const records = new Map<number, Record>();
  const { blocks } = reading;
  const objects = objectsOf(reading);
  for (let from = 0; from < blocks.length; ) {
    const block = blocks[from] as Block;
    let to = from + 1;
    if (block.kind === 'field' && block.within !== undefined) {
      const record = recordOfField(objects, block);
      if (record) records.set(from, record);
    } else if (block.kind === 'field') {
      while (to < blocks.length && isLine(blocks[to] as Block)) to++;
      addLines(reading, from, to, titleAt(from), records);
    } else if (block.kind === 'row') {
      while (blocks[to]?.kind === 'row') to++;
      addRows(reading, from, to, titleAt(from), records);
    }
    from = to;
  }
  return records;
}

const isLine = ({ kind, within }: Block) => kind === 'field' && within === undefined;

/** Key-value lines under each other are one record. A title that names something is what they are of, unless they begin with a key. */
function addLines(reading: Reading, from: number, to: number, title: Title, records: Map<number, Record>): void {
  const blocks = reading.blocks.slice(from, to);
  const cells = blocks.flatMap((block) => block.cells);
  const found = keyOf(reading, cells);
  const isOfTitle = title.identity !== '' && !(found && found.key === cells[0] && found.isKnown);
  const lines = linesOf(cells);
  const own = isOfTitle || !found ? null : found;
  if (!own && title.identity === '') return;
  const repeated = repeatedLabels(cells);
  const about = own
    ? { identity: identityOf(reading, own.key, lines), ...named(reading, own.name), above: title.stems }
    : {
        identity: `${title.identity}${periodsOf(reading, lines)}`,
        subject: title.subject,
        name: title.name,
        above: [],
      };
  blocks.forEach((block, nth) => {
    const claimed = block.cells.filter((cell) => isClaimed(cell, own?.key, lines) && !repeated.has(cell.label));
    records.set(from + nth, { ...about, prefix: [], block, cells: claimed });
  });
}

/** Rows of one table: where the key column names several rows alike, the next columns are part of the key. */
function addRows(reading: Reading, from: number, to: number, title: Title, records: Map<number, Record>): void {
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
      ...named(reading, found.name),
      above: title.stems,
      prefix: [],
      block,
      cells: block.cells.filter((cell) => cell !== more && isClaimed(cell, found.key, lines)),
    });
  });
}

function firstOf(cells: Cell[], lines: Lines): { key: Cell; name: Cell } | null {
  const first = cells.find((cell) => !lines.includes(cell));
  return first ? { key: first, name: first } : null;
}

const isClaimed = (cell: Cell, key: Cell | undefined, lines: Lines) => cell !== key && !lines.includes(cell);

function named(reading: Reading, name: Cell): Pick<Record, 'subject' | 'name'> {
  const text = textOf(reading, name);
  return { subject: subjectStems(text), name: text };
}

interface JsonObject {
  identity: string;
  subject: string[];
  name: string;
  key: Cell | null;
  lines: Lines;
  /** Labels that hold several values. */
  repeated: Set<string>;
}

function objectsOf(reading: Reading): Map<string, JsonObject> {
  const cells = new Map<string, Cell[]>();
  for (const { within, cells: own } of reading.blocks) {
    if (within === undefined) continue;
    const list = cells.get(within);
    if (list) list.push(...own);
    else cells.set(within, [...own]);
  }
  const objects = new Map<string, JsonObject>();
  for (const [within, list] of cells) {
    const found = keyOf(reading, list);
    const lines = linesOf(list);
    const about = found ? named(reading, found.name) : { subject: [], name: '' };
    const identity = found ? identityOf(reading, found.key, lines) : '';
    objects.set(within, { identity, ...about, key: found?.key ?? null, lines, repeated: repeatedLabels(list) });
  }
  return objects;
}

/** An object without a key is part of the one that holds it; one of a list without a key cannot be told from the next. */
function recordOfField(objects: Map<string, JsonObject>, block: Block): Record | null {
  const within = block.within ?? '';
  if (within.startsWith('@')) return null;
  const own = objects.get(within);
  const prefix: string[] = [];
  const above: string[] = [];
  let about: Pick<Record, 'subject' | 'name'> | null = null;
  for (let path = within; ; ) {
    const object = objects.get(path);
    if (object && object.identity !== '') {
      about ??= object;
      above.unshift(object.identity);
    } else if (path.endsWith(']')) return null;
    if (path === '') break;
    const cut = path.lastIndexOf('.');
    // What is between a named object and the one that holds it only says where it stands.
    const step = path.slice(cut + 1).replace(/\[\d+\]/g, '');
    if (about) above.unshift(step);
    else prefix.unshift(step);
    path = path.slice(0, Math.max(0, cut));
  }
  if (!about) return null;
  const cells = block.cells.filter(
    (cell) => isClaimed(cell, own?.key ?? undefined, own?.lines ?? []) && !own?.repeated.has(cell.label),
  );
  return { identity: above.join(' / '), subject: about.subject, name: about.name, above: [], prefix, block, cells };
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
