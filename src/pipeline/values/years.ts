/** Tells a year from a count of as many, by the words around it. */
import {
  AFTER_YEARS,
  BEFORE_YEARS,
  DETERMINERS,
  looksPlural,
  MAYBE_BEFORE_YEARS,
  MEASURED,
  NEVER_COUNTED,
} from '../lexicon/beside-numbers.ts';
import { MAGNITUDES } from '../lexicon/number-words.ts';
import { CURRENCY_SYMBOLS } from './currencies.ts';
import type { Token } from './tokens.ts';
import { unitAt } from './unit-reader.ts';

/** Earlier years need a word that says so. */
const LIKELY_FROM = 1500;
const TURNS = new Set(['before', 'after']);
const BROADCASTS = new Set(['am', 'fm', 'pm']);

/** Four digits from 1000 to 2099. */
export function isYearForm(token: Token | undefined): token is Token & { kind: 'number' } {
  return (
    token?.kind === 'number' && token.text.length === 4 && !token.dressed && token.value >= 1000 && token.value < 2100
  );
}

export function isYear(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (!isYearForm(token) || measures(tokens, at)) return false;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (!before) return token.value >= LIKELY_FROM && !countsNoun(after);
  // A row of a table.
  if (after?.kind === 'number' && after.dressed && !token.glued && token.value >= LIKELY_FROM) return true;
  const word = before.lower;
  if (before.kind === 'word') {
    if (BEFORE_YEARS.has(word)) return true;
    if (DETERMINERS.has(word) || /['’]s$/.test(word)) return token.value >= LIKELY_FROM && !isCommonPlural(after);
    if (AFTER_YEARS.has(after?.lower ?? '') && token.value >= LIKELY_FROM) return true;
    if (word === 'of' && MEASURED.has(tokens[at - 2]?.lower ?? '')) return false;
    // 'Who joined before 2020 pay less' goes on with a verb; 'after 2000 people left' with what is counted.
    if (TURNS.has(word)) return token.value >= LIKELY_FROM && !isCommonPlural(after);
    return MAYBE_BEFORE_YEARS.has(word) && !countsNoun(after);
  }
  if (isYearForm(before) && !token.glued) return true;
  if (token.glued && before.text !== '(' && before.text !== '[') return before.text === '-' && isStage(tokens[at - 2]);
  return token.value >= LIKELY_FROM && !countsNoun(after) && '(),;:–—"“[]'.includes(before.text);
}

function measures(tokens: Token[], at: number): boolean {
  const after = tokens[at + 1];
  if (CURRENCY_SYMBOLS.has(tokens[at - 1]?.text ?? '')) return true;
  if (!after) return false;
  if (after.glued && after.kind !== 'mark') return true;
  if (BROADCASTS.has(after.lower)) return true;
  if (MAGNITUDES.has(after.lower) || (after.glued && '%°^×*+'.includes(after.text))) return true;
  return after.lower !== 'in' && after.lower !== 'second' && unitAt(tokens, at + 1, false, 2) !== null;
}

function countsNoun(after: Token | undefined): boolean {
  return (
    after?.kind === 'word' &&
    !AFTER_YEARS.has(after.lower) &&
    !NEVER_COUNTED.has(after.lower) &&
    /^\p{Ll}/u.test(after.text)
  );
}

function isCommonPlural(after: Token | undefined): boolean {
  return countsNoun(after) && looksPlural(after?.lower ?? '');
}

function isStage(token: Token | undefined): boolean {
  return token?.lower === 'mid' || token?.lower === 'pre' || token?.lower === 'post';
}
