/** Holds two values of one record against each other: the same label, time and headings, and another value. */
import type { CellClaim, Claim, FieldClaim, QuantityClaim, Words } from '../claim.ts';
import { COMPLETE } from '../extract/lists.ts';
import { numbersIn } from '../extract/words.ts';
import { besidesSubject, includes, type Term } from '../term.ts';
import type { Quantity } from '../values/value.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { verdictOf } from './quantities.ts';
import { fieldReason, quantityReason } from './reasons.ts';
import type { View } from './view.ts';

/** Records give figures as they are: one is the rounding of another only up to here. */
const ROUNDING = 0.005;

export function compareCells(a: View<CellClaim>, b: View<CellClaim>): Comparison {
  const [one, other] = [a.claim, b.claim];
  if (one.record !== other.record) return incomparable('They are of different records.');
  if (labelOf(a) !== labelOf(b)) return incomparable('They have different labels.');
  if (!isWithin(one.rest, other.rest) && !isWithin(other.rest, one.rest))
    return incomparable('They stand under different headings.');
  if (one.modality !== 'fact' || other.modality !== 'fact') return incomparable('One is a fact and the other is not.');
  if (!holdForTheSame(one, other)) return incomparable('They hold for different times or conditions.');
  return one.kind === 'quantity' ? compareFigures(one, other) : compareWords(one, other);
}

/** Labels of the objects around it included. */
export const labelOf = ({ claim: { terms, label } }: View) => [...besidesSubject(terms), numbersIn(label)].join(' ');

/** A copy without the title has lost its date, but one label does not lose its year. */
const holdForTheSame = ({ qualifiers: one, label }: Claim, { qualifiers: other, label: like }: Claim) =>
  (one.time === other.time || ((one.time === '' || other.time === '') && label === like)) &&
  one.place === other.place &&
  one.condition === other.condition &&
  one.subset === other.subset;

const isWithin = (one: Term[], other: Term[]) => one.every((term) => includes(other, term));

function compareFigures(a: QuantityClaim, b: CellClaim): Comparison {
  if (b.kind !== 'quantity') return incomparable('The values are of different kinds.');
  const isOther = a.value.dimension !== b.value.dimension && areOtherNumbers(a.shown, b.shown);
  const verdict = isOther ? 'incompatible' : verdictOf(a, b);
  if (verdict === 'incomparable') return incomparable('The values are of different kinds.');
  if (verdict !== 'incompatible' || (!isOther && isRounded(a.value, b.value))) return compatible;
  return incompatible('figures of a record', quantityReason(a, b));
}

/** Of two bare numbers one may look like a year and the other not; but 98 and 199806 are 1998. */
const areOtherNumbers = (one: string, other: string) =>
  BARE.test(one) && BARE.test(other) && !isPartOf(one, other) && !isPartOf(other, one);
const BARE = /^\d{1,5}$/;
const isPartOf = (one: string, whole: string) => whole.startsWith(one) || whole.endsWith(one);

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

function compareWords(a: FieldClaim, b: CellClaim): Comparison {
  if (!a.polarity || !b.polarity) return incomparable('A denied value leaves all others open.');
  if (b.kind !== 'field') return incomparable('The values are of different kinds.');
  const [one, other] = [wordsOf(a.value), wordsOf(b.value)];
  if (isList(a.value) || isList(b.value))
    return areListsApart(a.value, b.value, COMPLETE.test(a.label) && COMPLETE.test(b.label))
      ? incompatible('values of a record', fieldReason(a, b))
      : incomparable('There may be several.');
  if (one.length === 0 || other.length === 0) return incomparable('There is nothing to compare.');
  if (areOtherStates(a.value, b.value)) return incompatible('values of a record', fieldReason(a, b));
  if (isIn(one, other) || isIn(other, one)) return compatible;
  return areOtherWords(one, other)
    ? incompatible('values of a record', fieldReason(a, b))
    : incomparable('The values may be the same.');
}

const isIn = (one: string[], other: string[]) => one.every((word) => other.includes(word));

function areOtherWords(one: string[], other: string[]): boolean {
  if (isIn(one, other) || isIn(other, one)) return false;
  const shared = one.filter((word) => other.includes(word));
  // 'Rack 14' and 'Rack 9', but 'natural oak' and 'oak veneer' may be one.
  const isNumbered = [...one, ...other].every((word) => shared.includes(word) || /\d/.test(word));
  if (shared.length > 0 && !isNumbered && !(one.length === other.length && isOneApart(one, other))) return false;
  return !isShortFor(one, other) && !isShortFor(other, one);
}

/** With the signs that tell 'B+' from 'B-'; a yes is a true. */
const wordsOf = ({ text }: Pick<Words, 'text'>) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}+-]+/u)
    .filter((word) => word !== '')
    .map((word) => TRUTHS.get(word) ?? word);

/** 'In service' and 'out of service', 'certified' and 'not certified'. */
function areOtherStates(a: Words, b: Words): boolean {
  const [one, other] = [stateOf(a), stateOf(b)];
  return one.state === other.state && one.isDenied !== other.isDenied;
}

function stateOf({ text }: Words): { state: string; isDenied: boolean } {
  const state = text.trim().toLowerCase();
  const denied = DENIED_STATE.exec(state)?.[1];
  if (denied !== undefined) return { state: denied, isDenied: true };
  const outside = OUTSIDE.exec(state);
  return outside
    ? { state: `${outside[1] === 'off' ? 'on' : 'in'} ${outside[2]}`, isDenied: true }
    : { state, isDenied: false };
}

const DENIED_STATE = /^(?:not|no longer|not yet) (.+)$/;
const OUTSIDE = /^(out of|off) (.+)$/;

const TRUTHS = new Map([
  ['yes', 'true'],
  ['no', 'false'],
]);
const isList = ({ text }: Words) => /[,;/]| and | & |\bor\b/.test(text);

/** Two lists of the same length, of three or more, that differ in one item; complete ones of which most is the same. */
function areListsApart(a: Words, b: Words, areComplete: boolean): boolean {
  const itemsOf = ({ text }: Words) => text.split(/ *[,;] *(?:and )?| and /i).map((item) => wordsOf({ text: item }));
  const [one, other] = [itemsOf(a), itemsOf(b)];
  // 'A. Lee' may be 'Anna Lee', and 'Fox (chair)' is 'Fox'.
  const countOnly = (items: string[][], among: string[][]) =>
    items.filter((item) => among.every((like) => areOtherWords(item, like))).length;
  const [onlyA, onlyB] = [countOnly(one, other), countOnly(other, one)];
  if (areComplete) return onlyA * 2 <= one.length && onlyB * 2 <= other.length && onlyA + onlyB > 0;
  return one.length > 2 && one.length === other.length && onlyA === 1 && onlyB === 1;
}

function isOneApart(one: string[], other: string[]): boolean {
  return one.filter((word, index) => word !== other[index]).length === 1;
}

/** 'P. Miller' and 'Paul Miller', 'UK' and 'United Kingdom', 'Std' and 'Standard'. */
function isShortFor(one: string[], other: string[]): boolean {
  if (one.length === 1 && other.length > 1) return other.map((word) => word.charAt(0)).join('') === one[0];
  if (one.length !== other.length) return false;
  return one.every(
    (word, index) => word === other[index] || (/^\p{L}+$/u.test(word) && (other[index] ?? '').startsWith(word)),
  );
}
