/** Finds the cells that two documents give of the same records. */
import { compareCells, labelOf } from './cells.ts';
import type { Side } from './side.ts';
import type { View } from './view.ts';

/** So many records of two documents are gone through. */
const MAX_RECORDS = 200;

/** Places in the claims of each side of cells that exclude each other. */
export function cellsApart(a: Side, b: Side): { a: number; b: number; reason: string }[] {
  const found: { a: number; b: number; reason: string }[] = [];
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
  const found: { a: number; b: number; reason: string }[] = [];
  let shared = 0;
  for (const one of left) {
    const other = places.get(labelOf(a.claims[one] as View));
    if (other === undefined) continue;
    const { verdict, reason } = compareCells(a.claims[one] as View, b.claims[other] as View);
    shared++;
    if (verdict === 'incompatible') found.push({ a: one, b: other, reason });
  }
  return found.length <= Math.max(1, shared / 2) ? found : [];
}
