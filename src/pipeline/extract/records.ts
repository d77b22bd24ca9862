/** Finds the records of a document: its key-value lines, its table rows and the objects of its JSON. */
import type { Block, Cell } from '../plain-text.ts';
import type { Reading } from '../read.ts';
import { type Record, subjectStems } from './structured.ts';

/** Labels of the cell by which a record is told from others, the best first. */
const KEY_LABELS = [
  /^(?:(?:full|company|product|project|customer|employee|item|display|legal|trading)[ _-]?)?name$/i,
  /^title$/i,
  /^(?:sku|code|key|identifier|(?:\w{1,20}[ _-]?)?id)$/i,
  /^(?:company|product|project|customer|employee|item|country|person|subject|entity|vendor|supplier|account|contract|asset|host|hostname|server|service|site)$/i,
];

/** `titleAt` gives what stands above a block, for a line without a key of its own. */
export function recordsOf(reading: Reading, titleAt: (block: number) => { subject: string[]; name: string }): Record[] {
  const objects = objectsOf(reading);
  const lines = lineKeys(reading);
  const records: Record[] = [];
  reading.blocks.forEach((block, index) => {
    const { kind, within, cells } = block;
    if (kind === 'row') {
      const key = rowKey(block);
      const name = key ? textOf(reading, key) : '';
      records.push({
        subject: subjectStems(name),
        name,
        prefix: [],
        block,
        cells: cells.filter((cell) => cell !== key),
      });
    } else if (kind === 'field' && within === undefined) {
      const key = lines.get(index) ?? null;
      const name = key ? textOf(reading, key) : '';
      const about = key ? { subject: subjectStems(name), name } : titleAt(index);
      records.push({ ...about, prefix: [], block, cells: cells.filter((cell) => cell !== key) });
    } else if (kind === 'field') {
      const { subject, name, prefix, key, repeated } = whereabouts(objects, within ?? '');
      const own = cells.filter((cell) => cell !== key && !repeated.has(cell.label));
      records.push({ subject, name, prefix, block, cells: own });
    }
  });
  return records;
}

/** Key-value lines under each other are one record; of each line the cell that names it. */
function lineKeys({ blocks }: Reading): Map<number, Cell> {
  const keys = new Map<number, Cell>();
  for (let from = 0; from < blocks.length; from++) {
    let to = from;
    while (to < blocks.length && isLine(blocks[to] as Block)) to++;
    const key = bestKey(blocks.slice(from, to).flatMap(({ cells }) => cells));
    if (key) for (let at = from; at < to; at++) keys.set(at, key);
    from = Math.max(from, to);
  }
  return keys;
}

const isLine = ({ kind, within }: Block) => kind === 'field' && within === undefined;

interface JsonObject {
  key: Cell | null;
  stems: string[];
  name: string;
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
    const key = bestKey(list);
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const { label } of list) (seen.has(label) ? repeated : seen).add(label);
    const name = key ? textOf(reading, key) : '';
    objects.set(within, { key, name, stems: subjectStems(name), repeated });
  }
  return objects;
}

/** An object without a name is part of the one that holds it; one of a list without a name cannot be told from the next. */
function whereabouts(objects: Map<string, JsonObject>, within: string) {
  const own = objects.get(within);
  const rest = { key: own?.key ?? null, repeated: own?.repeated ?? new Set<string>() };
  const prefix: string[] = [];
  let path = within;
  for (;;) {
    const { stems: subject = [], name = '' } = objects.get(path) ?? {};
    if (subject.length > 0) return { ...rest, subject, name, prefix };
    if (path === '' || path.endsWith(']') || path.startsWith('@')) return { ...rest, subject, name, prefix };
    const cut = path.lastIndexOf('.');
    prefix.unshift(path.slice(cut + 1));
    path = path.slice(0, Math.max(0, cut));
  }
}

function bestKey(cells: Cell[]): Cell | null {
  for (const label of KEY_LABELS) {
    const found = cells.find((cell) => label.test(cell.label));
    if (found) return found;
  }
  return null;
}

/** The first column, unless another one is named like a key and that one is not. */
function rowKey({ cells }: Block): Cell | null {
  const [first] = cells;
  if (first && KEY_LABELS.some((label) => label.test(first.label))) return first;
  return bestKey(cells) ?? first ?? null;
}

function textOf({ text }: Reading, { start, end }: Cell): string {
  return text.slice(start, end);
}
