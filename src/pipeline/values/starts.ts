/** Says cheaply which tokens a quantity can begin with, and which 'one' is none. */
import { NEVER_COUNTED } from '../lexicon/beside-numbers.ts';
import { MONTH_NUMBERS, SEASONS } from '../lexicon/months.ts';
import { CARDINALS, ORDINALS } from '../lexicon/number-words.ts';
import { CURRENCY_CODES, CURRENCY_SYMBOLS } from './currencies.ts';
import { startsUpper, type Token } from './tokens.ts';

const STARTERS = new Set([
  ...CARDINALS.keys(),
  ...ORDINALS.keys(),
  ...MONTH_NUMBERS.keys(),
  ...SEASONS.keys(),
  ...[...CURRENCY_CODES.keys()].map((code) => code.replace('.', '').toLowerCase()),
  ...'a an half minus negative number no'.split(' '),
]);
/** Words that only begin a quantity together with one of the others, which follows: 'a dozen'. */
const WEAK_STARTERS = new Set(['a', 'an', 'no', 'negative', 'minus']);

/** A sentence without such a word, a digit or a sign of money has no quantity. */
export function hintsAtQuantity(lower: string): boolean {
  return STARTERS.has(lower) && !WEAK_STARTERS.has(lower);
}

/** 'This one', 'no one' */
const BEFORE_PRONOUN = new Set(
  'no this that each every any which another the last next new some other such good bad'.split(' '),
);
/** 'One day', 'one another', 'one side' */
const AFTER_NO_COUNT = new Set("day another thing way side hand time one's oneself end".split(' '));

export function canStart(token: Token, tokens: Token[], at: number): boolean {
  if (token.kind === 'number') return true;
  if (token.kind === 'word') return STARTERS.has(token.lower);
  if (token.kind === 'code') return /^[QHF\d]/.test(token.text);
  const after = tokens[at + 1];
  if (CURRENCY_SYMBOLS.has(token.text)) return true;
  if (!after?.glued || after.kind !== 'number') return false;
  return '-−+'.includes(token.text) && (!token.glued || tokens[at - 1]?.text === '(');
}

/** 'Part One', 'One Step Ahead': titles, unless a sentence begins with it. */
export function isTitle(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  if (at === 0 || token.kind !== 'word' || !startsUpper(token) || !CARDINALS.has(token.lower)) return false;
  return startsUpper(tokens[at - 1]) || startsUpper(tokens[at + 1]);
}

export function isPronoun(tokens: Token[], at: number): boolean {
  if (tokens[at]?.lower !== 'one') return false;
  const before = tokens[at - 1]?.lower ?? '';
  const after = tokens[at + 1];
  if (BEFORE_PRONOUN.has(before)) return true;
  if (!after) return before === '';
  if (after.kind === 'mark') return after.text !== '-' && after.text !== '–';
  if (AFTER_NO_COUNT.has(after.lower)) return true;
  return (
    NEVER_COUNTED.has(after.lower) && !['and', 'to', 'in', 'or'].includes(after.lower) && !CARDINALS.has(after.lower)
  );
}
