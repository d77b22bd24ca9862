/** Holds two values that one record has under one label against each other: of the same time and headings, and another value. */
import type { Claim, Words } from '../claim.ts';
import { numbersIn } from '../extract/words.ts';
import type { Quantity } from '../values/value.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { verdictOf } from './quantities.ts';
import { fieldReason, quantityReason } from './reasons.ts';
import type { View } from './view.ts';

/** Records give figures as they are: one is the rounding of another only up to here. */
const ROUNDING = 0.005;

export function compareCells(a: View, b: View): Comparison {
  const [one, other] = [a.claim, b.claim];
  if (!isWithin(one.rest, other.rest) && !isWithin(other.rest, one.rest))
    return incomparable('They stand under different headings.');
  if (one.qualifiers.time !== other.qualifiers.time) return incomparable('They hold for different times.');
  return one.value.type === 'quantity' ? compareFigures(one, other) : compareWords(one, other);
}

/** Labels of the objects around it included. */
export const labelOf = ({ claim: { terms, label } }: View) =>
  [...terms.filter((term) => !term.startsWith('@')), numbersIn(label)].join(' ');

const isWithin = (one: string[], other: string[]) => one.every((stem) => other.includes(stem));

function compareFigures(a: Claim, b: Claim): Comparison {
  if (b.value.type !== 'quantity') return incomparable('The values are of different kinds.');
  const verdict = verdictOf(a, b);
  if (verdict === 'incomparable') return incomparable('The values are of different kinds.');
  if (verdict !== 'incompatible' || isRounded(a.value as Quantity, b.value)) return compatible;
  return incompatible('figures of a record', quantityReason(a, b));
}

/** 18,400 may stand for 18,397. */
function isRounded(a: Quantity, b: Quantity): boolean {
  if (a.dimension === 'date' || a.low === null || b.low === null || a.low !== a.high || b.low !== b.high) return false;
  const [one, other] = [a.low, b.low];
  const apart = Math.abs(one - other);
  return (
    apart <= ROUNDING * Math.max(Math.abs(one), Math.abs(other)) && (isRounding(one, other) || isRounding(other, one))
  );
}

function isRounding(round: number, exact: number): boolean {
  const digits = String(Math.abs(round)).replace('.', '').replace(/0+$/, '').replace(/^0+/, '').length;
  return digits > 0 && digits < 21 && Number(exact.toPrecision(digits)) === round;
}

function compareWords(a: Claim, b: Claim): Comparison {
  if (b.value.type !== 'words') return incomparable('The values are of different kinds.');
  const [one, other] = [wordsOf(a.value as Words), wordsOf(b.value)];
  if (isList(a.value as Words) || isList(b.value)) return incomparable('There may be several.');
  if (one.every((word) => other.includes(word)) || other.every((word) => one.includes(word))) return compatible;
  if (isShortFor(one, other) || isShortFor(other, one)) return incomparable('The values may be the same.');
  return incompatible('values of a record', fieldReason(a, b));
}

/** With the signs that tell 'B+' from 'B-'; a yes is a true. */
const wordsOf = ({ text }: Words) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}+-]+/u)
    .filter((word) => word !== '')
    .map((word) => TRUTHS.get(word) ?? word);
const TRUTHS = new Map([
  ['yes', 'true'],
  ['no', 'false'],
]);
const isList = ({ text }: Words) => /[,;/]| and | & |\bor\b/.test(text);

/** 'P. Miller' and 'Paul Miller', 'UK' and 'United Kingdom', 'Std' and 'Standard'. */
function isShortFor(one: string[], other: string[]): boolean {
  if (one.length === 1 && other.length > 1) return other.map((word) => word.charAt(0)).join('') === one[0];
  if (one.length !== other.length) return false;
  return one.every(
    (word, index) => word === other[index] || (/^\p{L}+$/u.test(word) && (other[index] ?? '').startsWith(word)),
  );
}
