/** Finds the cells that two documents give of the same records. */
import { compareCells, labelOf } from './cells.ts';
import type { Reason } from './comparison.ts';
import type { Side } from './side.ts';
import type { View } from './view.ts';

/** So many records of two documents are gone through. */
const MAX_RECORDS = 200;

interface Apart extends Reason {
  a: number;
  b: number;
}

/** Places in the claims of each side of cells that exclude each other. */
export function cellsApart(a: Side, b: Side): Apart[] {
  const found: Apart[] = [];
  const [few, many] = a.records.size < b.records.size ? [a.records, b.records] : [b.records, a.records];
  let records = 0;
  for (const record of few.keys()) {
    if (!many.has(record)) continue;
    if (++records > MAX_RECORDS) break;
    found.push(...apartIn(a, b, a.records.get(record) ?? [], b.records.get(record) ?? []));
  }
  return found;
}

/** Two records that differ in most of what both of them give are of two things, or of two times. */
function apartIn(a: Side, b: Side, left: number[], right: number[]) {
  const places = new Map(right.map((at) => [labelOf(b.claims[at] as View), at]));
  const found: Apart[] = [];
  let shared = 0;
  for (const one of left) {
    const other = places.get(labelOf(a.claims[one] as View));
    if (other === undefined) continue;
    const { verdict, ...why } = compareCells(a.claims[one] as View, b.claims[other] as View);
    shared++;
    if (verdict === 'incompatible') found.push({ a: one, b: other, ...why });
  }
  return found.length <= Math.max(1, shared / 2) ? found : [];
}
