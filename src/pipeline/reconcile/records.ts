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
  const places = byLabel(b, right);
  const found: Apart[] = [];
  let shared = 0;
  for (const [label, ones] of byLabel(a, left)) {
    const others = places.get(label);
    if (!others) continue;
    shared++;
    // What both give is no contradiction: of a label that a record has more than once, one value must be left on each side.
    const [one, ...moreOfA] = ones.filter((at) => !b.says(a.claims[at] as View));
    const [other, ...moreOfB] = others.filter((at) => !a.says(b.claims[at] as View));
    if (one === undefined || other === undefined || moreOfA.length + moreOfB.length > 0) continue;
    const { verdict, ...why } = compareCells(a.claims[one] as View, b.claims[other] as View);
    if (verdict === 'incompatible') found.push({ a: one, b: other, ...why });
  }
  return found.length <= Math.max(1, shared / 2) ? found : [];
}

const byLabel = ({ claims }: Side, places: number[]) => Map.groupBy(places, (at) => labelOf(claims[at] as View));
