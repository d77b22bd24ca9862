/** Parses a JSON text item by item, with room for other requests in between: 8 MB at once would hold them all up. */
import { giveWay } from '../give-way.ts';
import type { Item } from './json-scanner.ts';

/**
 * The same value as JSON.parse of the whole gives, whatever names and order its members have: each item is parsed by
 * itself, and stands in the rest of the text as its number. What is too large to be parsed is left to `replace`.
 */
export async function parseItems(body: Buffer, items: Item[], replace: (item: Item) => unknown): Promise<unknown> {
  const values: unknown[] = [];
  let outline = '';
  let at = 0;
  for (const item of items) {
    await giveWay();
    const text = body.toString('utf8', item.start, item.end);
    outline += body.toString('utf8', at, item.start);
    at = item.end;
    // An array that is empty has nothing between its brackets; after a comma, the outline is no JSON.
    if (isBlank(text)) continue;
    outline += `${values.length}`;
    values.push(replace(item) ?? JSON.parse(text));
  }
  return withItems(JSON.parse(outline + body.toString('utf8', at)), values);
}

function withItems(outline: unknown, values: unknown[]): unknown {
  if (typeof outline !== 'object' || outline === null || Array.isArray(outline)) return outline;
  const members = Object.entries(outline).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((index: number) => values[index]) : value,
  ]);
  return Object.fromEntries(members);
}

const isBlank = (text: string) => !/[^ \t\r\n]/.test(text);
