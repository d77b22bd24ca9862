/** Places in an order: 'the third', '21st', 'number one'. */
import { DETERMINERS } from '../lexicon/beside-numbers.ts';
import { CARDINALS } from '../lexicon/number-words.ts';
import { countedAt } from './counted.ts';
import { numeralAt } from './numerals.ts';
import { ordinalAt } from './ordinals.ts';
import { startsUpper, type Token } from './tokens.ts';
import { type Quantity, stretchOf } from './value.ts';

export interface Rank {
  /** Null for the number of something that only names it: 'No. 86 Wing'. */
  value: Quantity | null;
  next: number;
  counted: string;
}

/** Before a bare 'first', which is more often an adverb. */
const RANKING = new Set(
  'ranked rank finished finish finishing placed came come is was are were be stay stayed sits sit up to at in as second-placed remains remained'.split(
    ' ',
  ),
);
/** Before 'number one'; elsewhere it names a thing, such as a paper or a squadron. */
const RANKED = new Set(
  'at reached reach ranked rank the world to hit peaked is was a became become debuted finished seed'.split(' '),
);
/** Neither a place in an order nor a count. */
const IDIOMS = new Set(
  'third party|third parties|first name|second hand|first hand|first aid|first class|first person|third person|third world'.split(
    '|',
  ),
);
/** 'was first given' */
const BE = new Set(['is', 'was', 'are', 'were', 'be', 'as', 'been']);
/** 'first' and 'second' begin sentences that count nothing. */
const MAX_ADVERB = 3;

export function rankAt(tokens: Token[], at: number): Rank | null {
  const token = tokens[at] as Token;
  if (token.lower === 'number' || token.text === 'No.' || token.text === 'no.') return numberedAt(tokens, at);
  const ordinal = ordinalAt(tokens, at);
  if (!ordinal) return null;
  const isName = token.kind === 'word' && startsUpper(token) && startsUpper(tokens[ordinal.next]);
  const isIdiom = IDIOMS.has(`${token.lower} ${tokens[ordinal.next]?.lower}`);
  const isPart = ['half', 'quarter'].includes(tokens[ordinal.next]?.lower ?? '');
  // 'the first four albums'
  if (isName || isPart || isIdiom || (token.kind === 'word' && isNumber(tokens[ordinal.next])))
    return { value: null, next: ordinal.next, counted: '' };
  if (token.kind === 'word' && ordinal.value <= MAX_ADVERB) {
    const before = tokens[at - 1]?.lower ?? '';
    const isRank =
      DETERMINERS.has(before) || RANKING.has(before) || /['’]s$/.test(before) || tokens[ordinal.next]?.text === '-';
    const isAdverb =
      BE.has(before) &&
      ordinal.value === 1 &&
      tokens[ordinal.next]?.kind === 'word' &&
      tokens[ordinal.next]?.lower !== 'in';
    if (!isRank || isAdverb || (before === 'at' && ordinal.value === 1))
      return { value: null, next: ordinal.next, counted: '' };
  }
  return { value: rank(ordinal.value), next: ordinal.next, counted: countedAt(tokens, ordinal.next, true).noun };
}

function numberedAt(tokens: Token[], at: number): Rank | null {
  const isJoined = tokens[at + 1]?.text === '-' && tokens[at + 2]?.glued === true;
  const number = numeralAt(tokens, isJoined ? at + 2 : at + 1);
  if (!number || number.value % 1 !== 0) return null;
  const after = tokens[number.next];
  const goesOn = startsUpper(after) || (after?.glued === true && after.kind !== 'mark');
  const isRank = isJoined || RANKED.has(tokens[at - 1]?.lower ?? '');
  return { value: isRank && !goesOn ? rank(number.value) : null, next: number.next, counted: '' };
}

function isNumber(token: Token | undefined): boolean {
  return token?.kind === 'number' || CARDINALS.has(token?.lower ?? '');
}

const rank = (value: number) => stretchOf('ordinal', '', [value, value], 1);
