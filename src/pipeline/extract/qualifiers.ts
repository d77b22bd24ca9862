/** Reads what a claim is limited to: a time, a place, a condition, a part of the whole. */
import type { Qualifiers } from '../claim.ts';
import { hasAny, isOf, wordClass } from '../lexicon/word-class.ts';
import { wordSet } from '../lexicon/word-set.ts';
import { writeTerm } from '../term.ts';
import { namedTimes } from './named-times.ts';
import type { Figure, Token } from './tokens.ts';

/** Words after which a clause says when or for whom something holds. */
const CONDITION = wordClass(
  'if unless when whenever except excluding provided during following prior effective beginning upon once while',
);
/** So do these, unless a date follows, which is a time by itself. */
const TURN = wordClass('before after until since');
/** So do these right after a figure: '£240 including VAT'. */
const COUNTED_IN = wordClass('including incl inclusive excl');
/** Words that make another figure of the same noun. */
const SUBSET = wordClass(`
average mean median total combined per each every additional another extra remaining other maximum minimum max min net gross
annual yearly monthly weekly daily quarterly half-year male female men women boys girls adult adults children domestic
foreign international global worldwide national regional local first-year initial estimated expected previous former
current record peak lowest highest up down rose fell increase increased decrease decreased by from`);
/** With 'to', they say the same as the next. */
const USED = wordClass('used use');
/** What was so at first, or before something took its place. */
const FORMER = wordClass('originally formerly initially superseded obsolete withdrawn');
/** What took the place of it. */
const AMENDED = wordClass('replaces supersedes superseding amended corrected revised');
/** When something is so, where no date says it. */
const NOW = wordClass('now currently today nowadays');
/** What came about at a time is still so: in 'Acme, founded in 1987, has 2,310 employees' only the founding is of 1987. */
const BEGUN = wordSet('founded established incorporated formed launched opened built born');
const MAX_CONDITION = 6;
const SUBSET_NEAR = 7;
const BEFORE_PLACE = wordClass('in at near');
const MAX_PLACE = 6;

/** Figures of a sentence without the dates that it gives in passing, by which nothing else in it is limited. */
export function withoutAsides(tokens: Token[], figures: Figure[]): Figure[] {
  return figures.filter((figure) => figure.value.dimension !== 'date' || !isAside(tokens, figure));
}

function isAside(tokens: Token[], date: Figure): boolean {
  const at = tokens.findIndex(({ start }) => start >= date.start);
  const after = tokens.find(({ start }) => start >= date.end);
  const [opening, begun, preposition] = tokens.slice(Math.max(0, at - 3), at);
  if (!opening || !begun || !preposition || !after) return false;
  const isEnclosed = (opening.text === ',' && after.text === ',') || (opening.text === '(' && after.text === ')');
  return isEnclosed && (preposition.lower === 'in' || preposition.lower === 'on') && BEGUN.has(begun.lower);
}

/** What holds for the whole clause; what is said of one figure, `forFigure` adds. */
export function clauseQualifiers(tokens: Token[], figures: Figure[]): Qualifiers {
  return { time: timeOf(tokens, figures, null), place: placeOf(tokens), condition: conditionOf(tokens), subset: '' };
}

export function forFigure(clause: Qualifiers, tokens: Token[], figures: Figure[], own: Figure): Qualifiers {
  return { ...clause, time: timeOf(tokens, figures, own), subset: subsetOf(tokens, own) };
}

/** Of several dates the nearest is the one that a figure holds for. */
function timeOf(tokens: Token[], quantities: Figure[], own: Figure | null): string {
  if (own && own.value.dimension !== 'date' && hasAny(tokens, NOW)) return '=now';
  let dates = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const other of quantities) {
    if (!isOtherDate(other, own)) continue;
    dates++;
    if (own) nearest = Math.min(nearest, distance(own, other));
  }
  const times = namedTimes(tokens, dates > 0 || own?.value.dimension === 'date');
  if (dates > 0)
    for (const other of quantities)
      if (isOtherDate(other, own) && (own === null || distance(own, other) === nearest))
        for (const term of other.terms) times.push(writeTerm(term));
  return joined(times);
}

const isOtherDate = (figure: Figure, own: Figure | null) => figure !== own && figure.value.dimension === 'date';
const distance = (own: Figure, { start, end }: Figure) => (start >= own.end ? start - own.end : own.start - end);

function placeOf(tokens: Token[]): string {
  if (!hasAny(tokens, BEFORE_PLACE)) return '';
  const places: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    if (!isOf(tokens[index], BEFORE_PLACE)) continue;
    for (let at = index + 1; at < tokens.length && at <= index + MAX_PLACE; at++) {
      const next = tokens[at] as Token;
      if (next.lower === 'the' || (next.text === ',' && places.length > 0)) continue;
      if (!next.isName) break;
      places.push(next.stem);
    }
  }
  return joined(places);
}

function conditionOf(tokens: Token[]): string {
  if (hasAny(tokens, FORMER) || tokens.some((token, at) => isOf(token, USED) && tokens[at + 1]?.lower === 'to'))
    return 'former';
  if (hasAny(tokens, AMENDED)) return 'amended';
  const at = tokens.findIndex(
    (token, index) =>
      isOf(token, CONDITION) ||
      (isOf(token, COUNTED_IN) && (index === 0 || tokens[index - 1]?.quantity)) ||
      (isOf(token, TURN) && !tokens[index + 1]?.quantity),
  );
  if (at < 0) return countedIn(tokens) || besideOf(tokens);
  const words = tokens
    .slice(at + 1)
    .filter(({ isContent, quantity }) => isContent && (!quantity || isOrdinal(quantity)));
  return [tokens[at]?.lower, ...words.slice(0, MAX_CONDITION).map(({ stem }) => stem)].join(' ');
}

/** 'With a voucher', 'without a voucher', 'for members'. */
function besideOf(tokens: Token[]): string {
  for (let at = 0; at < tokens.length; at++) {
    if (!isOf(tokens[at], BESIDE)) continue;
    const next = tokens.slice(at + 1, at + 3);
    const noun = next.find(
      ({ isContent, isName, lower, quantity }) => isContent && (!isName || TAXES.has(lower)) && !quantity,
    );
    if (noun) return `${tokens[at]?.lower} ${noun.stem}`;
  }
  return '';
}

const BESIDE = wordClass('with without for');
const TAXES = wordSet('vat gst');
const isOrdinal = ({ value }: Figure) => value.dimension === 'ordinal';

/** '£2,480, overtime included': the same as 'including overtime'. */
function countedIn(tokens: Token[]): string {
  const at = tokens.findIndex(({ lower }) => lower === 'included' || lower === 'excluded');
  if (at < 1) return '';
  const [lead, noun] = [tokens[at - 2], tokens[at - 1]];
  if (!noun?.isContent || noun.quantity || !(lead?.text === ',' || lead?.text === '(' || lead?.quantity)) return '';
  return `${tokens[at]?.lower === 'included' ? 'including' : 'excluding'} ${noun.stem}`;
}

/** Only the words next to the figure make it another figure. */
function subsetOf(tokens: Token[], own: Figure): string {
  if (own.value.dimension === 'date') return '';
  const first = tokens.findIndex(({ start }) => start >= own.start);
  const last = tokens.findLastIndex(({ start }) => start < own.end);
  let [from, to] = [first, last + 1];
  while (from > Math.max(0, first - SUBSET_NEAR) && !isPause(tokens[from - 1] as Token)) from--;
  while (to < Math.min(tokens.length, last + 1 + SUBSET_NEAR) && !isPause(tokens[to] as Token)) to++;
  const words: string[] = [];
  for (let at = from; at < to; at++) if (isOf(tokens[at], SUBSET)) words.push((tokens[at] as Token).lower);
  // 'Three of the lifts' are a part of them.
  if (isPartitive(tokens, last)) words.push('partial');
  return joined(words);
}

const isPartitive = (tokens: Token[], last: number) =>
  tokens[last + 1]?.lower === 'of' && WHOLES.has(tokens[last + 2]?.lower ?? '');
const WHOLES = wordSet('the its their these those our his her');

const isPause = ({ text }: Token) => text === ',' || text === ';';

function joined(words: string[]): string {
  if (words.length < 2) return words[0] ?? '';
  if (words.length > MAX_SORTED) return [...new Set(words)].sort().join(' ');
  const once: string[] = [];
  for (const word of words) {
    let at = once.length;
    while (at > 0 && (once[at - 1] as string) > word) at--;
    if (once[at - 1] === word) continue;
    once.push(word);
    once.copyWithin(at + 1, at);
    once[at] = word;
  }
  return once.join(' ');
}

/** A set and a sort cost more than putting so few words in their places. */
const MAX_SORTED = 8;
