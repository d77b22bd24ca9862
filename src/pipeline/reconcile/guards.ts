/** Reasons for which two claims may both hold, although they look alike. */
import type { Claim, Value } from '../claim.ts';
import { stem } from '../extract/stem.ts';
import { bare } from '../extract/terms.ts';
import type { Overlap } from './overlap.ts';
import { isName, isSubjectName, viewOf } from './view.ts';

/** '' when nothing speaks against holding them against each other. */
export function guard(a: Claim, b: Claim, { onlyA, onlyB, shared }: Overlap): string {
  if (shared.length === 0) return 'They have nothing in common.';
  if (haveOtherSubjects(a, b, onlyA, onlyB)) return 'They are about different things.';
  if (haveOtherNumbers(a, b)) return 'They are numbered differently.';
  if (haveOtherOutcomes(a, b)) return 'They speak of different outcomes.';
  if (!isSameTime(a.qualifiers.time, b.qualifiers.time)) return 'They speak of different times.';
  if (differ(a.qualifiers.place, viewOf(b).reach) && differ(b.qualifiers.place, viewOf(a).reach))
    return 'They speak of different places.';
  if (!isCovered(a, b) || !isCovered(b, a)) return 'They hold under different conditions.';
  if (a.qualifiers.subset !== b.qualifiers.subset && isHard(a.qualifiers.subset, b.qualifiers.subset))
    return 'They speak of different parts.';
  return '';
}

/** Years that both give must meet, and so must months. */
function isSameTime(one: string, other: string): boolean {
  if (!one || !other) return true;
  // 'Before 2020' and 'after 2020' never meet.
  if ((one.includes('=date<') && other.includes('=date>')) || (one.includes('=date>') && other.includes('=date<')))
    return false;
  return agree(one, other, /^=\d{3,4}$/) && agree(one, other, /^=[a-z]{3}$/);
}

function agree(one: string, other: string, form: RegExp): boolean {
  const left = one.split(' ').filter((term) => form.test(term));
  const right = other.split(' ').filter((term) => form.test(term));
  return left.length === 0 || right.length === 0 || left.some((term) => right.includes(term));
}

function differ(places: string, known: Set<string>): boolean {
  return places !== '' && !places.split(' ').some((place) => known.has(place));
}

const EARLIER = new Set(['before', 'until', 'prior']);
const LATER = new Set(['after', 'since', 'following']);
const MEANWHILE = new Set(['during', 'while', 'throughout']);
const TURNS = [EARLIER, MEANWHILE, LATER];

/** One speaks of before something, the other of after it or of the time of it. */
function areTurns(one: string, other: string): boolean {
  const [left, right] = [one, other].map((word) => TURNS.findIndex((words) => words.has(word)));
  return left !== right && left !== -1 && right !== -1;
}

/** What one side makes it depend on, the other speaks of too. */
function isCovered(claim: Claim, other: Claim): boolean {
  const { condition } = claim.qualifiers;
  if (!condition || condition === other.qualifiers.condition) return true;
  const [word = '', ...rest] = condition.split(' ');
  if (areTurns(word, other.qualifiers.condition.split(' ', 1)[0] ?? '')) return false;
  if (word === 'excluding' && isMore(claim.value, other.value)) return true;
  if (EARLIER.has(word) || LATER.has(word)) return true;
  if (rest.length === 0) return other.qualifiers.condition.startsWith(word);
  const known = viewOf(other).reach;
  return rest.filter((term) => known.has(term)).length / rest.length >= 0.6;
}

/** What leaves something out cannot be more than the whole. */
function isMore(one: Value, other: Value): boolean {
  if (one.type !== 'quantity' || other.type !== 'quantity' || one.dimension !== other.dimension) return false;
  return one.low !== null && other.high !== null && one.low > other.high;
}

/** Each side has a name that the other lacks, and they share no more than half. */
function haveOtherSubjects(a: Claim, b: Claim, onlyA: string[], onlyB: string[]): boolean {
  const lackB = onlyA.filter(isSubjectName).length;
  const lackA = onlyB.filter(isSubjectName).length;
  if (lackA === 0 || lackB === 0) return false;
  const sizeA = viewOf(a).subject.length;
  const sizeB = viewOf(b).subject.length;
  return Math.max((sizeA - lackB) / sizeA, (sizeB - lackA) / sizeB) <= 0.5;
}

/** The killed are not the injured, and what is nominated need not win. */
const OUTCOMES = [
  'kill die dead death',
  'injure wound hurt',
  'missing',
  'capture prisoner',
  'win',
  'nominate',
  'arrest',
].map((words) => words.split(' ').map(stem));

function haveOtherOutcomes(a: Claim, b: Claim): boolean {
  if (a.kind !== 'quantity') return false;
  const one = outcomesOf(a);
  if (one.length === 0) return false;
  const other = outcomesOf(b);
  return other.length > 0 && !one.some((outcome) => other.includes(outcome));
}

const outcomesOf = remembered((claim) =>
  OUTCOMES.filter((words) => words.some((word) => viewOf(claim).reach.has(word))),
);

/** A claim is held against many others. */
function remembered<Result>(make: (claim: Claim) => Result): (claim: Claim) => Result {
  const made = new WeakMap<Claim, Result>();
  return (claim) => {
    const known = made.get(claim) ?? make(claim);
    made.set(claim, known);
    return known;
  };
}

const HARD = new Set([
  'average',
  'mean',
  'median',
  'per',
  'each',
  'additional',
  'another',
  'extra',
  'remaining',
  'other',
  'maximum',
  'minimum',
]);

function isHard(one: string, other: string): boolean {
  const left = new Set(one.split(' ').filter((word) => HARD.has(word)));
  const right = new Set(other.split(' ').filter((word) => HARD.has(word)));
  return left.size !== right.size || [...left].some((word) => !right.has(word));
}

/** 'Phase 1' and 'Phase 2', 'the first year' and 'the second year': a number of what comes before the value. */
function haveOtherNumbers(a: Claim, b: Claim): boolean {
  const one = numbersOf(a);
  if (one.length === 0) return false;
  const other = numbersOf(b);
  return one.some(([place, number]) => other.some(([spot, figure]) => place === spot && areApart(number, figure)));
}

/** A bound and a figure within it may go together; a bound from above and one from below do not. */
function areApart(one: string, other: string): boolean {
  if (/[<>]/.test(one) || /[<>]/.test(other))
    return /[<>]/.exec(one)?.[0] !== /[<>]/.exec(other)?.[0] && /[<>]/.test(one) && /[<>]/.test(other);
  return one !== other;
}

/** Plain numbers and ranks before the value, each with the word it stands by. */
const numbersOf = remembered(({ terms }): [place: string, number: string][] => {
  const end = terms.indexOf('#');
  return terms.slice(0, Math.max(0, end)).flatMap((term, index): [string, string][] => {
    if (/^=(?:ordinal\d+|[<>]\d.*)$/.test(term)) return [[`${bare(terms[index + 1] ?? '')}`, term]];
    return /^=\d{1,3}(?:\.\d+)?$/.test(term) && index > 0 && isName(terms[index - 1] ?? '')
      ? [[`${bare(terms[index - 1] ?? '')}`, term]]
      : [];
  });
});
