/** Holds the figures and dates of two claims against each other. */
import type { Claim, QuantityClaim } from '../claim.ts';
import { isTelling } from '../extract/claim-keys.ts';
import { areOfOtherAspects } from '../lexicon/aspects.ts';
import { areOtherEvents, EVENTS } from '../lexicon/events.ts';
import { stem } from '../lexicon/stem.ts';
import { isName, isSame, placeIn, type Term, wordsIn } from '../term.ts';
import { endsOf } from '../values/calendar.ts';
import { compareQuantities } from '../values/compare.ts';
import type { Quantity } from '../values/value.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { guarded } from './guards.ts';
import { areLone, isPast } from './lone.ts';
import type { Overlap } from './overlap.ts';
import { quantityReason } from './reasons.ts';
import { View } from './view.ts';

/** Share of the terms that the shorter and the longer side must have in common. */
const MOST_LEAST = 0.65;
const LEAST_LEAST = 0.15;
/** A thing has one height and one weight. */
const MEASURES = new Set(['length', 'mass', 'area', 'volume', 'temperature', 'power', 'speed', 'data']);

const isDate = ({ value }: QuantityClaim) => value.dimension === 'date';

export function compareValues(a: View<QuantityClaim>, b: View<QuantityClaim>, isPeriod = false): Comparison {
  const [one, other] = [a.claim, b.claim];
  const [endA, endB] = [endOf(one, other), endOf(other, one)];
  if (endA || endB) return compareValues(endA ? new View(endA, a) : a, endB ? new View(endB, b) : b, true);
  if (one.attribute === '' && other.attribute === '') return incomparable('Nothing says of what they are.');
  if (one.role !== other.role) return incomparable('One is part of a change.');
  const verdict = verdictOf(one, other);
  if (verdict === 'incomparable') return incomparable('The values are of different kinds.');
  if (verdict !== 'incompatible') return compatible;
  if (one.value.dimension === 'count' && one.attribute !== other.attribute)
    return incomparable('They count different things.');
  if (isDate(one) && (areOtherEvents(one.attribute, other.attribute) || (!isPeriod && haveOtherVerbs(one, other))))
    return incomparable('They are dates of different events.');
  // A month is not the year, and what was made in the one is not what was made in the other.
  const [timeA, timeB] = [one.qualifiers.time, other.qualifiers.time];
  if (!isDate(one) && timeA !== timeB && timeA && timeB) return incomparable('They speak of different times.');
  const overlap = guarded(a, b);
  if (typeof overlap === 'string') return incomparable(overlap);
  if (!isDate(one) && haveOtherLabels(one, other)) return incomparable('They are figures of different things.');
  if (isDate(one) && !isPeriod && isOfOtherEvent(a, b)) return incomparable('They are dates of different events.');
  const isNamed = isOfOneNoun(one, other) && overlap.shared.some((word) => a.isNamed(word) && b.isNamed(word));
  if (
    eachLacks(overlap, isPeriod || (isDate(one) && haveTwoVerbs(one, other)), isNamed) &&
    !areOfOneFigure(a, b, overlap)
  )
    return incomparable('Each speaks of something that the other does not.');
  if (isDone(a, b) || isDone(b, a)) return incomparable('One tells what was done, and the other what is so.');
  if (!isEnough(a, b, overlap)) return incomparable('They have too little in common.');
  return incompatible('figures', quantityReason(one, other));
}

/** 'Hired 140 drivers' and 'has 620 drivers'. */
function isDone({ claim, before: [verb = ''] }: View<QuantityClaim>, { claim: other, reach }: View): boolean {
  if (claim.value.dimension !== 'count' || verb === '' || HAVING.has(verb) || reach.has(verb)) return false;
  return /\b(?:has|have)\b/.test(other.sentence) && claim.sentence.toLowerCase().includes(`${verb}ed `);
}

/** What is so was so. */
const HAVING = new Set(
  'employ own operate contain house stock store seat serve include count record report comprise feature number total'
    .split(' ')
    .map(stem),
);

/** What began then, what ended then: of a period the end that the other side speaks of. */
const BEGINS = new Set('begin start launch commence run last span'.split(' ').map(stem));
const FINISHES = new Set('finish end complete conclude stop cease'.split(' ').map(stem));

/** One event may be told by two verbs: 'expires' and 'ends'. */
const haveTwoVerbs = (a: Claim, b: Claim) =>
  a.attribute !== b.attribute && EVENTS.has(a.attribute) && EVENTS.has(b.attribute);

/** 'Was replaced on 8 May' and 'was not running on 5 May'. */
const haveOtherVerbs = ({ attribute: one }: Claim, { attribute: other }: Claim) =>
  one !== other && one !== 'be' && other !== 'be' && !EVENTS.has(one) && !EVENTS.has(other);

const isPhrase = (label: string) => label.includes(' ') && !/^(?:figure for|number of)/.test(label);

/** 'Floor area' and 'sales area': each says which. */
function haveOtherLabels({ label: one }: Claim, { label: other }: Claim): boolean {
  if (one === other || !isPhrase(one) || !isPhrase(other)) return false;
  const [left, right] = [one.toLowerCase().split(' '), other.toLowerCase().split(' ')];
  return (
    left.at(-1) === right.at(-1) &&
    left.some((word) => !right.includes(word)) &&
    right.some((word) => !left.includes(word))
  );
}

/** What happened then is not what was so then. */
function isOfOtherEvent(a: View, b: View): boolean {
  const [one, other] = [a.claim.attribute, b.claim.attribute];
  if (one === other || EVENTS.has(one) === EVENTS.has(other)) return false;
  return EVENTS.has(one) ? !b.reach.has(one) : !a.reach.has(other);
}

/** 'Ran from 1993 to 2002' tells of the same as 'began in 1993'. */
const isTold = ({ kind, word }: Term) => kind !== 'word' || (!BEGINS.has(word) && !FINISHES.has(word));

function eachLacks({ onlyA, onlyB }: Overlap, isPeriod: boolean, isNamed: boolean): boolean {
  if (isPeriod) return onlyA.some(isTold) && onlyB.some(isTold);
  if (onlyA.length === 0 || onlyB.length === 0) return false;
  return !isNamed || onlyA.some(isHeavy) || onlyB.some(isHeavy);
}

/** Of what a figure is, a noun may say. Where the verb alone does ('carries 900 kg', 'makes 40 pumps'), it says something. */
const isOfOneNoun = (a: QuantityClaim, b: QuantityClaim) =>
  !a.isOpen && !b.isOpen && a.attribute === b.attribute && !isDate(a) && a.value.dimension !== 'count';

/**
 * 'Comes with a warranty of five years' and 'gives a warranty of seven years' of one thing that both name. What is paid may be
 * other than what is received, offered or included.
 */
const isHeavy = ({ kind, word }: Term) => kind !== 'word' || !LIGHT.has(word);
const LIGHT = new Set(
  (
    'come give carry bear list note show state record report make cost amount stand run hold contain ' +
    'provide set fix concern mean put find see accord price total figure sum raise close'
  )
    .split(' ')
    .map(stem),
);

/** How far one thing is from another, and what was said with a figure in view, may be put in quite other words. */
const areOfOneFigure = (a: View<QuantityClaim>, b: View<QuantityClaim>, { shared }: Overlap) =>
  areDistances(a, b.claim, shared) || areBoundsOfOne(a.claim, b.claim);

function endOf(claim: QuantityClaim, other: QuantityClaim): QuantityClaim | null {
  if (claim.role !== 'period' || other.role !== '' || !isDate(claim) || !isDate(other)) return null;
  const { value } = claim;
  if (value.low === null || value.high === null) return null;
  const { first, last } = endsOf({ low: value.low, high: value.high });
  if (BEGINS.has(other.attribute)) return { ...claim, role: '', value: { ...value, ...first } };
  if (FINISHES.has(other.attribute)) return { ...claim, role: '', value: { ...value, ...last } };
  return null;
}

/** Beyond its subject a claim must share what it says; without a name, nearly all of it. */
function isEnough(left: View<QuantityClaim>, right: View<QuantityClaim>, { most, least, shared }: Overlap): boolean {
  const [a, b] = [left.claim, right.claim];
  const subject = new Set([...left.subject, ...right.subject]);
  const isMeasured = MEASURES.has(a.value.dimension) && most === 1 && !areOfOtherAspects(wordsOf(a), wordsOf(b));
  if (areLone(left, right) || areDistances(left, b, shared) || areBoundsOfOne(a, b)) return true;
  if (isVague(left, right, shared)) return false;
  if (least === 1 && shared.length > 1) return true;
  if (shared.length < 2 || (!isMeasured && shared.every((term) => subject.has(term)))) return false;
  return most >= MOST_LEAST && least >= LEAST_LEAST;
}

const wordsOf = ({ terms }: Claim) => wordsIn(terms);

/** 'It was released in 2001' is hardly of what another sentence says was released: a name that both have tells what is meant. */
const isVague = (a: View, b: View, shared: string[]) =>
  (a.claim.isOpen || b.claim.isOpen) && !shared.some((word) => a.isNamed(word) && b.isNamed(word));

/** 'Under 114,000 cases' and 'more than 114,000 cases': one was said with the other in view. */
function areBoundsOfOne(a: QuantityClaim, b: QuantityClaim): boolean {
  const [one, other] = [a.value, b.value];
  const figure = one.low ?? one.high ?? 0;
  if (one.dimension !== 'count' || a.attribute !== b.attribute || figure !== (other.low ?? other.high)) return false;
  return isTelling(figure) && (one.low !== one.high || other.low !== other.high);
}

/** 'About 80 km north of Berlin': how far the same thing is from the same place. */
const BEARINGS = new Set('north south east west northeast northwest southeast southwest'.split(' ').map(stem));

function areDistances({ claim: a, subject }: View<QuantityClaim>, b: QuantityClaim, shared: string[]): boolean {
  const from = fromWhere(a);
  return from !== '' && from === fromWhere(b) && shared.some((term) => subject.includes(term));
}

/** The name after the length and its bearing; '' where there is none. */
function fromWhere({ terms, value }: QuantityClaim): string {
  const at = placeIn(terms);
  const [bearing, name] = terms.slice(at + 1);
  if (value.dimension !== 'length' || at < 0 || bearing?.kind !== 'word' || !BEARINGS.has(bearing.word)) return '';
  return name && isName(name) ? name.word : '';
}

/** Of the values alone, denials counted in. */
export function verdictOf(a: QuantityClaim, b: QuantityClaim): ReturnType<typeof compareQuantities> {
  const { value: valueA } = a;
  const { value: valueB } = b;
  if (a.polarity && b.polarity) return areLimits(a, b) ? 'incompatible' : compareQuantities(valueA, valueB);
  if (a.polarity === b.polarity) return 'incomparable';
  const [denied, said] = a.polarity ? [valueB, valueA] : [valueA, valueB];
  // 'Not after 30 days' leaves 'within 30 days'.
  if (denied.dimension === 'time' && denied.low === denied.high) return 'incomparable';
  const rest = complement(denied);
  if (rest) return compareQuantities(rest, said);
  const verdict = compareQuantities(denied, said);
  // Who was not born in 1972 was not born on any day of it.
  const isPart = denied.dimension === 'date' && verdict === 'compatible' && denied.precision >= said.precision;
  return verdict === 'equal' || isPart ? 'incompatible' : 'incomparable';
}

/** 'Members may stay up to 10 days' sets a limit, and there is one; 'up to 10 people were hurt' sets none. */
function areLimits(a: QuantityClaim, b: QuantityClaim): boolean {
  const { value: one } = a;
  const { value: other } = b;
  if (one.dimension !== other.dimension || one.unit !== other.unit || one.dimension === 'date') return false;
  // Most values are no bounds, and what their sentences say need not be searched.
  const areUpper = one.low === null && other.low === null;
  const areLower = one.high === null && other.high === null;
  if (areUpper ? one.high === other.high : !areLower || one.low === other.low) return false;
  const areSet = (a.modality === 'rule' && b.modality === 'rule') || (SETS.test(a.shown) && SETS.test(b.shown));
  return areSet || areSameLimit(a, b);
}

/** 'Is for rooms of up to 30 m²' and 'is for rooms of up to 45 m²' tell what a thing can do; what was, had no limit set. */
function areSameLimit(a: QuantityClaim, b: QuantityClaim): boolean {
  if (a.value.dimension === 'count' || isPast(a) || isPast(b)) return false;
  if (!ALLOWS.test(a.shown) || !ALLOWS.test(b.shown)) return false;
  return a.terms.length > 2 && areSame(a.terms, b.terms);
}

const areSame = (one: Term[], other: Term[]) =>
  one.length === other.length && one.every((term, at) => isSame(term, other[at] as Term));

/** 'Less than 65 miles apart' allows nothing: it says what is known. */
const ALLOWS =
  /^(?:up to|as many as|as much as|at most|at least|no more than|not more than|a maximum of|a minimum of)\b/i;

/** Whoever says so sets the limit. */
const SETS = /^(?:limited to|capped at|restricted to)\b/i;

/** What is left when a bound is denied: not more than 300 is 300 or less. */
function complement(value: Quantity): Quantity | null {
  const { low, high, lowOpen, highOpen } = value;
  if (low !== null && high === null) return { ...value, low: null, lowOpen: false, high: low, highOpen: !lowOpen };
  if (low === null && high !== null) return { ...value, low: high, lowOpen: !highOpen, high: null, highOpen: false };
  return null;
}
