/** Reasons for which two claims may both hold, although they look alike. */
import type { Claim, QuantityClaim } from '../claim.ts';
import { stem } from '../lexicon/stem.ts';
import { includes, isAlike, isFigure, isName, isSubject, placeIn, type Term } from '../term.ts';
import { isPast } from './lone.ts';
import { type Overlap, overlapOf } from './overlap.ts';
import { haveOtherSubjects } from './subjects.ts';
import type { View } from './view.ts';

/** `isPlaced` is false where a place is what they differ in. How far they speak of the same thing; or why they are not to be held against each other. Most are of different things. */
export function guarded(a: View, b: View, isPlaced = true): Overlap | string {
  if (haveOtherSubjects(a, b)) return 'They are about different things.';
  if (lacksHead(a, b) || lacksHead(b, a)) return 'They are about different parts.';
  if (haveOtherNumbers(a, b)) return 'They are numbered differently.';
  if (areOfOtherKinds(a, b)) return 'One speaks of a certain one.';
  if (haveOtherOpenings(a, b)) return 'They hold under different conditions.';
  const [one, other] = [a.claim.qualifiers, b.claim.qualifiers];
  if (!isSameTime(a, b)) return 'They speak of different times.';
  if (isPlaced && differ(one.place, b) && differ(other.place, a)) return 'They speak of different places.';
  if (!isCovered(a, b) || !isCovered(b, a)) return 'They hold under different conditions.';
  if (isPartOf(a, b) || isPartOf(b, a)) return 'One speaks of a part of what the other does.';
  if (one.subset !== other.subset && hardOf(one.subset) !== hardOf(other.subset))
    return 'They speak of different parts.';
  const overlap = overlapOf(a, b);
  return overlap.shared.length === 0 ? 'They have nothing in common.' : overlap;
}

/** 'The ground floor of Mercer House' is not Mercer House. */
const lacksHead = ({ claim: { head }, reach: own }: View, { claim, reach }: View) =>
  head !== '' && own.has(head) && !reach.has(head) && !claim.isOpen;

/** One may be more precise than the other: 'in May 2020' and 'in 2020'. */
function isSameTime(a: View, b: View): boolean {
  const [one, other] = [a.claim.qualifiers.time, b.claim.qualifiers.time];
  if (!meet(a.years, b.years)) return false;
  if (!one || !other) return true;
  // 'Before 2020' and 'after 2020' never meet.
  if ((one.includes('=date<') && other.includes('=date>')) || (one.includes('=date>') && other.includes('=date<')))
    return false;
  const [left, right] = [one.split(' '), other.split(' ')];
  return left.every((term) => right.includes(term)) || right.every((term) => left.includes(term));
}

const meet = (one: string[], other: string[]) =>
  one.length === 0 || other.length === 0 || one.some((year) => other.includes(year));

function differ(places: string, { reach }: View): boolean {
  return places !== '' && !places.split(' ').some((place) => reach.has(place));
}

const EARLIER = new Set(['before', 'until', 'prior']);
const LATER = new Set(['after', 'since', 'following']);
const MEANWHILE = new Set(['during', 'while', 'throughout']);
const WITHOUT = new Set(['excluding', 'excl', 'except', 'without']);
const WITH = new Set(['including', 'incl', 'inclusive', 'with']);
const TURNS = [EARLIER, MEANWHILE, LATER, WITHOUT, WITH];

/** One speaks of before something, the other of after it or of the time of it. */
function areTurns(one: string, other: string): boolean {
  const [left, right] = [one, other].map((word) => TURNS.findIndex((words) => words.has(word)));
  return left !== right && left !== -1 && right !== -1;
}

/** What one side makes it depend on, the other speaks of too. */
function isCovered({ claim }: View, { claim: other, reach }: View): boolean {
  const { condition } = claim.qualifiers;
  if (!condition || condition === other.qualifiers.condition) return true;
  const [word = '', ...rest] = condition.split(' ');
  if (areTurns(word, other.qualifiers.condition.split(' ', 1)[0] ?? '')) return false;
  const others = other.qualifiers.condition.split(' ');
  // 'During the trial run' and 'during the second run'.
  if (
    word === others[0] &&
    rest.some((term) => !others.includes(term)) &&
    others.some((term) => !condition.includes(term))
  )
    return false;
  if (word === 'excluding' && isMore(claim, other)) return true;
  // A figure is another one with a voucher, or for members.
  const isBeside = (word === 'with' || word === 'for') && claim.kind !== 'quantity';
  // 'Except on Sundays' and 'on Sundays'.
  if (word === 'except' && rest.some((term) => reach.has(term))) return false;
  if (EARLIER.has(word) || LATER.has(word) || isBeside) return true;
  if (rest.length === 0) return other.qualifiers.condition.startsWith(word);
  return rest.filter((term) => reach.has(term)).length / rest.length >= 0.6;
}

/** It says where, for what or when it holds, and the other does not; but no part is more than the whole. */
function isPartOf(a: View, b: View): boolean {
  const { claim } = a;
  if (claim.kind !== 'quantity' || claim.value.dimension === 'date') return false;
  if (claim.value.dimension === 'count' && isMore(claim, b.claim)) return false;
  return isElsewhere(claim, b) || isFramed(a, b) || isOfThen(a, b);
}

const lacks = ({ reach, context }: View, word: string) => !reach.has(word) && !context.has(word);

/** A length is the same wherever it is told; people and sums are more elsewhere. */
const isElsewhere = ({ qualifiers, value }: QuantityClaim, other: View) =>
  qualifiers.place !== '' &&
  ADDED.has(value.dimension) &&
  qualifiers.place.split(' ').every((place) => lacks(other, place));

const ADDED = new Set(['count', 'money']);

/** 'For members, the sauna costs £6.' */
function isFramed(view: View, other: View): boolean {
  const frames = framesOf(view);
  return frames.length > 0 && frames.every((term) => (isFigure(term) ? !other.gives(term) : lacks(other, term.word)));
}

/** 'Had 310 employees in 2019' and 'has 355 employees'. */
const isOfThen = ({ claim }: View, { claim: other }: View) =>
  claim.qualifiers.time !== '' && other.qualifiers.time === '' && isPast(claim) && !isPast(other);

/** What leaves something out cannot be more than the whole. */
function isMore(a: Claim, b: Claim): boolean {
  if (a.kind !== 'quantity' || b.kind !== 'quantity') return false;
  const [one, other] = [a.value, b.value];
  if (one.dimension !== other.dimension) return false;
  return one.low !== null && other.high !== null && one.low > other.high;
}

/** A claim is held against many others. */
function remembered<Result>(make: (view: View) => Result): (view: View) => Result {
  const results = new WeakMap<View, Result>();
  return (view) => {
    const known = results.get(view);
    if (known !== undefined) return known;
    const made = make(view);
    results.set(view, made);
    return made;
  };
}

const HARD = new Set(
  `average mean median per each additional another extra remaining other maximum minimum partial male female men women boys
girls net gross`.split(/\s+/),
);

/** Words of a part without which the figure is another; they stand in one order. */
const hardOf = (subset: string) =>
  subset
    .split(' ')
    .filter((word) => HARD.has(word))
    .join(' ');

/** 'Phase 1' and 'Phase 2', 'the first year' and 'the second year': a number of what comes before the value. */
function haveOtherNumbers(a: View, b: View): boolean {
  const one = numbersOf(a);
  if (one.length === 0) return false;
  const other = numbersOf(b);
  return one.some(([place, number]) =>
    other.some(([spot, figure]) => isAlike(place, spot) && areApart(number, figure)),
  );
}

/** A bound and a figure within it may go together; a bound from above and one from below do not. */
function areApart(one: string, other: string): boolean {
  if (/[<>]/.test(one) || /[<>]/.test(other))
    return /[<>]/.exec(one)?.[0] !== /[<>]/.exec(other)?.[0] && /[<>]/.test(one) && /[<>]/.test(other);
  return one !== other;
}

/** 'The former director' is not the director, 'the left knee' not the knee: these say which one is meant. */
const CHOOSING = new Set(
  'former previous next last final draft interim provisional preliminary audited unaudited left right upper lower front rear inner outer'
    .split(' ')
    .map(stem),
);

export const isChoosing = (word: string) => CHOOSING.has(word);

function areOfOtherKinds(a: View, b: View): boolean {
  return isChosen(a, b) || isChosen(b, a);
}

const isChosen = (one: View, { reach }: View) => choicesOf(one).some((word) => !reach.has(word));

/** Before the value: after it stands what else is said. A statement as a whole has none. */
const choicesOf = remembered(({ claim: { terms } }) =>
  beforeValue(terms).flatMap(({ kind, word }) => (kind === 'word' && isChoosing(word) ? [word] : [])),
);

/** None of a statement as a whole, whose terms have no place of a value. */
const beforeValue = (terms: Term[]) => terms.slice(0, Math.max(0, placeIn(terms)));

/** Figures that say for what it holds: 'At 20 °C the Lyra battery …', 'staff of Alba with ten years of service …'. */
function haveOtherOpenings(a: View, b: View): boolean {
  const [one, other] = [openingOf(a), openingOf(b)];
  if (one.length > 0 && other.length > 0 && !one.some((figure) => other.includes(figure))) return true;
  // 'Above 2,000 metres the drone …' and 'at sea level the drone …'
  const [left, right] = [framesOf(a), framesOf(b)];
  return left.length > 0 && right.length > 0 && !left.some((term) => includes(right, term));
}

/** All before the first name in a sentence that begins by saying where, when or for what it holds. */
const framesOf = remembered(({ claim: { terms, sentence } }) =>
  FRAMING.test(sentence) ? terms.slice(0, Math.max(0, terms.findIndex(isName))) : [],
);
const FRAMING = /^(?:At|Above|Below|Under|With|For|During|When|Over|Within) /;

/** They stand before the first name, or before the value where nothing is named, or where 'with' comes before them. */
const openingOf = remembered(({ claim: { terms, sentence } }) => {
  const name = AFTER_WITH.test(sentence) ? -1 : terms.findIndex(isSubject);
  const opening = name < 0 ? beforeValue(terms) : terms.slice(0, name);
  return opening.flatMap((term) => (isFigure(term) && OPENING.test(term.word) ? [term.word] : []));
});
const AFTER_WITH = /\bwith (?:\d|\p{L}+ \p{L}+ of )/u;
const OPENING = /^(?!ordinal|[a-z]{3}\d*$)[a-z/]+[<>]?-?\d/;

/** '14 Kiln Lane' and '41 Kiln Lane'. */
const isStreet = (terms: Term[], from: number) => {
  const names = terms.slice(from, from + STREET_NEAR);
  const end = names.findIndex((term) => !isName(term));
  return names.slice(1, end < 0 ? names.length : end).some(({ word }) => STREETS.has(word));
};
const HOUSE = /^\d{1,4}$/;
const STREET_NEAR = 4;
const STREETS = new Set(
  'street road lane avenue drive close court terrace row square crescent mews boulevard quay wharf gardens way place'
    .split(' ')
    .map(stem),
);

/** Plain numbers and ranks before the value, each with the word it stands by. */
const numbersOf = remembered(({ claim: { terms } }): [place: Term, number: string][] =>
  beforeValue(terms).flatMap((term, index): [Term, string][] => {
    if (!isFigure(term)) return [];
    if (HOUSE.test(term.word) && isStreet(terms, index + 1)) return [[terms[index + 1] as Term, term.word]];
    // The value comes after them, so that there is a next one.
    if (/^(?:ordinal\d+|[a-z/]*[<>]\d.*)$/.test(term.word)) return [[terms[index + 1] as Term, term.word]];
    const before = terms[index - 1];
    return before && isName(before) && /^\d{1,3}(?:\.\d+)?$/.test(term.word) ? [[before, term.word]] : [];
  }),
);
