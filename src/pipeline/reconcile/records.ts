/** Finds the cells that two documents give of the same records. */
import type { CellClaim } from '../claim.ts';
import { isDated, isOfDescription } from '../extract/record-keys.ts';
import { compareCells, labelOf } from './cells.ts';
import type { Reason } from './comparison.ts';
import type { Side } from './side.ts';
import type { Trace } from './trace.ts';
import type { View } from './view.ts';

/** So many records of two documents are gone through. */
const MAX_RECORDS = 200;
/** Where only one in more than so many is in both, they are two lists, and a name that is in both is that of two things. */
const MAX_APART = 8;
/** Where one document has fewer records, that all of them differ does not show that it is of another time. */
const FEW = 4;

interface Apart extends Reason {
  a: number;
  b: number;
  rule: string;
}

/**
 * Places in the claims of each side of cells that exclude each other. Two documents that differ in most of the records which both of
 * them have are of two times, or of two lists, as the same table of another year is; so are two records that differ in most of what
 * both of them give.
 */
export function cellsApart(a: Side, b: Side, trace: Trace): Apart[] {
  if (!a.hasCells || !b.hasCells) return [];
  const [few, many] = a.records.size < b.records.size ? [a.records, b.records] : [b.records, a.records];
  const shared = few
    .keys()
    .filter((record) => many.has(record))
    .take(MAX_RECORDS)
    .toArray();
  const differing = shared
    .map((record) => ({
      record,
      ...apartIn(a, b, a.records.get(record) ?? [], b.records.get(record) ?? [], trace),
    }))
    .filter(({ found }) => found.length > 0);
  const isFew = few.size < FEW && !shared.some(isDated);
  const areOfOtherTimes = !isFew && isMost(differing.length, shared.length);
  const areOtherLists = shared.length < few.size / MAX_APART;
  // A date or a description alone is that of many rows, so that something has to be the same beside it.
  const isOfMany = (record: string) => isDated(record) || isOfDescription(record);
  const least = shared.length === 1 && shared.every(isOfMany) ? 0 : 1;
  return differing.flatMap(({ record, found, labels }) => {
    if (areOfOtherTimes) return leave(found, OTHER_TABLES, trace);
    if (areOtherLists && !isCoded(record)) return leave(found, OTHER_LISTS, trace);
    // Several payments may have one description, but not in two lists of which most is the same.
    const mayRecur = isOfDescription(record) && shared.length < FEW;
    const areOther = isMost(found.length, labels, least) || (found.length > 1 && mayRecur);
    return areOther ? leave(found, OTHER_RECORDS, trace) : found;
  });
}

/** A code is that of one thing in every list. */
const isCoded = (record: string) => /^[^|]*\d/.test(record);

/** Of one or two, one may differ, unless `least` is 0. */
const isMost = (differing: number, shared: number, least = 1) => differing > Math.max(least, shared / 2);

function leave(found: Apart[], why: string, trace: Trace): [] {
  for (const { a, b } of found) trace.pair({ a, b, outcome: 'apart', why });
  return [];
}

/** Of one record; and how many labels both sides have there. */
function apartIn(a: Side, b: Side, left: number[], right: number[], trace: Trace): { found: Apart[]; labels: number } {
  const places = byLabel(b, right);
  const found: Apart[] = [];
  let labels = 0;
  for (const [label, ones] of byLabel(a, left)) {
    const others = places.get(label);
    if (!others) continue;
    labels++;
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
  return { found, labels };
}

export const SAID = 'The other document says it, too, in the same words.';
const OTHER_RECORDS = 'The records differ in most of what both of them give.';
const OTHER_LISTS = 'The documents have hardly a record in common.';
const OTHER_TABLES = 'The documents differ in most of the records that both of them have.';

/** Of one of the places that a side has for its cells. */
const cellAt = ({ claims }: Side, at: number) => claims[at] as View<CellClaim>;

const byLabel = ({ claims }: Side, places: number[]) => Map.groupBy(places, (at) => labelOf(claims[at] as View));
