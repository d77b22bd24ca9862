/** Finds the cells that two documents give of the same records. */
import type { CellClaim } from '../claim.ts';
import { compareCells, labelOf } from './cells.ts';
import type { Reason } from './comparison.ts';
import type { Side } from './side.ts';
import type { Trace } from './trace.ts';
import type { View } from './view.ts';

/** So many records of two documents are gone through. */
const MAX_RECORDS = 200;

interface Apart extends Reason {
  a: number;
  b: number;
  rule: string;
}

/** Places in the claims of each side of cells that exclude each other. */
export function cellsApart(a: Side, b: Side, trace: Trace): Apart[] {
  const found: Apart[] = [];
  const [few, many] = a.records.size < b.records.size ? [a.records, b.records] : [b.records, a.records];
  let records = 0;
  for (const record of few.keys()) {
    if (!many.has(record)) continue;
    if (++records > MAX_RECORDS) break;
    found.push(...apartIn(a, b, a.records.get(record) ?? [], b.records.get(record) ?? [], trace));
  }
  return found;
}

/** Two records that differ in most of what both of them give are of two things, or of two times. */
function apartIn(a: Side, b: Side, left: number[], right: number[], trace: Trace): Apart[] {
  const places = byLabel(b, right);
  const found: Apart[] = [];
  let shared = 0;
  for (const [label, ones] of byLabel(a, left)) {
    const others = places.get(label);
    if (!others) continue;
    shared++;
    // What both give is no contradiction: of a label that a record has more than once, one value must be left on each side.
    const ownOfA = ones.filter((at) => !b.says(a.claims[at] as View));
    const ownOfB = others.filter((at) => !a.says(b.claims[at] as View));
    const [one = ones[0] as number, other = others[0] as number] = [ownOfA[0], ownOfB[0]];
    if (ownOfA.length !== 1 || ownOfB.length !== 1) {
      const areSaid = ownOfA.length === 0 || ownOfB.length === 0;
      if (areSaid) trace.pair({ a: one, b: other, outcome: 'agree', why: SAID });
      else trace.pair({ a: one, b: other, outcome: 'apart', why: 'The record has several values of that label.' });
      continue;
    }
    const { verdict, ...why } = compareCells(cellAt(a, one), cellAt(b, other));
    if (verdict === 'incompatible') found.push({ a: one, b: other, ...why });
    else trace.pair({ a: one, b: other, outcome: verdict === 'compatible' ? 'agree' : 'apart', why: why.reason });
  }
  if (found.length <= Math.max(1, shared / 2)) return found;
  for (const { a: one, b: other } of found) trace.pair({ a: one, b: other, outcome: 'apart', why: OTHER_RECORDS });
  return [];
}

export const SAID = 'The other document says it, too, in the same words.';
const OTHER_RECORDS = 'The records differ in most of what both of them give.';

/** Of one of the places that a side has for its cells. */
const cellAt = ({ claims }: Side, at: number) => claims[at] as View<CellClaim>;

const byLabel = ({ claims }: Side, places: number[]) => Map.groupBy(places, (at) => labelOf(claims[at] as View));
