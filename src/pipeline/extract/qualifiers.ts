/** Reads what a claim is limited to: a time, a place, a condition, a part of the whole. */
import type { Qualifiers } from '../claim.ts';
import { wordSet } from '../lexicon/word-set.ts';
import { writeTerm } from '../term.ts';
import type { FoundQuantity } from '../values/find.ts';
import { namedTimes } from './named-times.ts';
import { valueTerms } from './terms.ts';
import type { Token } from './tokens.ts';

/** Words after which a clause says when or for whom something holds. */
const CONDITIONS = wordSet(
  'if unless when whenever except excluding provided during following prior effective beginning upon once while',
);
/** So do these, unless a date follows, which is a time by itself. */
const TURNS = wordSet('before after until since');
/** So do these right after a figure: '£240 including VAT'. */
const COUNTED_IN = wordSet('including incl inclusive excl');
/** Words that make another figure of the same noun. */
const SUBSETS = wordSet(`
average mean median total combined per each every additional another extra remaining other maximum minimum max min net gross
annual yearly monthly weekly daily quarterly half-year male female men women boys girls adult adults children domestic
foreign international global worldwide national regional local first-year initial estimated expected previous former
current record peak lowest highest up down rose fell increase increased decrease decreased by from`);
/** What was so at first, or before something took its place. */
const FORMER = wordSet('originally formerly initially superseded obsolete withdrawn');
/** What took the place of it. */
const AMENDED = wordSet('replaces supersedes superseding amended corrected revised');
/** When something is so, where no date says it. */
const NOW = wordSet('now currently today nowadays');
/** What came about at a time is still so: in 'Acme, founded in 1987, has 2,310 employees' only the founding is of 1987. */
const BEGUN = wordSet('founded established incorporated formed launched opened built born');
const MAX_CONDITION = 6;
const SUBSET_NEAR = 7;
const PLACES = wordSet('in at near');
const MAX_PLACE = 6;

/** Figures of a sentence without the dates that it gives in passing, by which nothing else in it is limited. */
export function withoutAsides(tokens: Token[], figures: FoundQuantity[]): FoundQuantity[] {
  return figures.filter((figure) => figure.value.dimension !== 'date' || !isAside(tokens, figure));
}

function isAside(tokens: Token[], date: FoundQuantity): boolean {
  const at = tokens.findIndex(({ start }) => start >= date.start);
  const after = tokens.find(({ start }) => start >= date.end);
  const [opening, begun, preposition] = tokens.slice(Math.max(0, at - 3), at);
  if (!opening || !begun || !preposition || !after) return false;
  const isEnclosed = (opening.text === ',' && after.text === ',') || (opening.text === '(' && after.text === ')');
  return isEnclosed && (preposition.lower === 'in' || preposition.lower === 'on') && BEGUN.has(begun.lower);
}

/** What holds for the whole clause; what is said of one figure, `forFigure` adds. */
export function clauseQualifiers(tokens: Token[], figures: FoundQuantity[]): Qualifiers {
  return { time: timeOf(tokens, figures, null), place: placeOf(tokens), condition: conditionOf(tokens), subset: '' };
}

export function forFigure(
  clause: Qualifiers,
  tokens: Token[],
  figures: FoundQuantity[],
  own: FoundQuantity,
): Qualifiers {
  return { ...clause, time: timeOf(tokens, figures, own), subset: subsetOf(tokens, own) };
}

/** Of several dates the nearest is the one that a figure holds for. */
function timeOf(tokens: Token[], quantities: FoundQuantity[], own: FoundQuantity | null): string {
  if (own && own.value.dimension !== 'date' && tokens.some(({ lower }) => NOW.has(lower))) return '=now';
  const dates = quantities.filter((other) => other !== own && other.value.dimension === 'date');
  const named = namedTimes(tokens, dates.length > 0 || own?.value.dimension === 'date');
  if (own && dates.length > 1) {
    const distance = ({ start, end }: FoundQuantity) => (start >= own.end ? start - own.end : own.start - end);
    const nearest = Math.min(...dates.map(distance));
    const near = dates.filter((date) => distance(date) === nearest);
    return joined([...near.flatMap(termsOfDate), ...named]);
  }
  return joined([...dates.flatMap(termsOfDate), ...named]);
}

const termsOfDate = ({ value }: FoundQuantity) => valueTerms(value).map(writeTerm);

function placeOf(tokens: Token[]): string {
  const places: string[] = [];
  tokens.forEach((token, index) => {
    if (!PLACES.has(token.lower)) return;
    for (let at = index + 1; at < tokens.length && at <= index + MAX_PLACE; at++) {
      const next = tokens[at] as Token;
      if (next.lower === 'the' || (next.text === ',' && places.length > 0)) continue;
      if (!next.isName) break;
      places.push(next.stem);
    }
  });
  return joined(places);
}

function conditionOf(tokens: Token[]): string {
  if (
    tokens.some(
      ({ lower }, index) =>
        FORMER.has(lower) || ((lower === 'used' || lower === 'use') && tokens[index + 1]?.lower === 'to'),
    )
  )
    return 'former';
  if (tokens.some(({ lower }) => AMENDED.has(lower))) return 'amended';
  const at = tokens.findIndex(
    ({ lower }, index) =>
      CONDITIONS.has(lower) ||
      (COUNTED_IN.has(lower) && (index === 0 || tokens[index - 1]?.quantity)) ||
      (TURNS.has(lower) && !tokens[index + 1]?.quantity),
  );
  if (at < 0) return countedIn(tokens) || besideOf(tokens);
  const words = tokens
    .slice(at + 1)
    .filter(({ isContent, quantity }) => isContent && (!quantity || isOrdinal(quantity)));
  return [tokens[at]?.lower, ...words.slice(0, MAX_CONDITION).map(({ stem }) => stem)].join(' ');
}

/** 'With a voucher', 'without a voucher', 'for members'. */
function besideOf(tokens: Token[]): string {
  for (const [at, { lower }] of tokens.entries()) {
    const next = BESIDE.has(lower) ? tokens.slice(at + 1, at + 3) : [];
    const noun = next.find(({ isContent, isName, quantity }) => isContent && !isName && !quantity);
    if (noun) return `${lower} ${noun.stem}`;
  }
  return '';
}

const BESIDE = wordSet('with without for');
const isOrdinal = ({ value }: FoundQuantity) => value.dimension === 'ordinal';

/** '£2,480, overtime included': the same as 'including overtime'. */
function countedIn(tokens: Token[]): string {
  const at = tokens.findIndex(({ lower }) => lower === 'included' || lower === 'excluded');
  const [lead, noun] = [tokens[at - 2], tokens[at - 1]];
  if (!noun?.isContent || noun.quantity || !(lead?.text === ',' || lead?.text === '(' || lead?.quantity)) return '';
  return `${tokens[at]?.lower === 'included' ? 'including' : 'excluding'} ${noun.stem}`;
}

/** Only the words next to the figure make it another figure. */
function subsetOf(tokens: Token[], own: FoundQuantity): string {
  if (own.value.dimension === 'date') return '';
  const first = tokens.findIndex(({ start }) => start >= own.start);
  const last = tokens.findLastIndex(({ start }) => start < own.end);
  const before = tokens.slice(Math.max(0, first - SUBSET_NEAR), first);
  const after = tokens.slice(last + 1, last + 1 + SUBSET_NEAR);
  const near = [
    ...before.slice(before.findLastIndex(isPause) + 1),
    ...tokens.slice(first, last + 1),
    ...untilPause(after),
  ];
  const words = near.filter(({ lower }) => SUBSETS.has(lower)).map(({ lower }) => lower);
  // 'Three of the lifts' are a part of them.
  return joined(isPartitive(tokens, last) ? [...words, 'partial'] : words);
}

const isPartitive = (tokens: Token[], last: number) =>
  tokens[last + 1]?.lower === 'of' && WHOLES.has(tokens[last + 2]?.lower ?? '');
const WHOLES = wordSet('the its their these those our his her');

const isPause = ({ text }: Token) => text === ',' || text === ';';

function untilPause(tokens: Token[]): Token[] {
  const end = tokens.findIndex(isPause);
  return end < 0 ? tokens : tokens.slice(0, end);
}

function joined(words: string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return [...new Set(words)].sort().join(' ');
}
