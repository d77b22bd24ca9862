/** Parts of a whole that have a name of their own: 'half of', 'a third of', 'half a million'. */
import { CARDINALS, MAGNITUDES, PARTS } from '../lexicon/number-words.ts';
import type { Numeral } from './numerals.ts';
import type { Token } from './tokens.ts';

/** What shows that 'half' measures something, and is not the second one of a match. */
const AFTER_HALF = new Set(['of', 'a', 'an', 'the', 'its', 'their', 'his', 'her', 'our', 'all', 'that']);
const BEFORE_HALF = new Set(
  'than over about nearly almost roughly under around least exactly approximately just only up'.split(' '),
);
/** Sides and seasons have halves, too. */
const NO_WHOLES = new Set(['season', 'match', 'game', 'year', 'century', 'decade', 'brothers', 'sisters']);

const OTHER_HALVES = new Set('second first other northern southern eastern western latter in better'.split(' '));

export function partAt(tokens: Token[], at: number): Numeral | null {
  const word = tokens[at]?.lower;
  if (word === 'half') return halfAt(tokens, at);
  if (word !== 'a' && word !== 'an') return null;
  const name = tokens[at + 1]?.lower ?? '';
  const parts = PARTS.get(name);
  if (parts === undefined || name.endsWith('s') || CARDINALS.has(name)) return null;
  const after = tokens[at + 2]?.lower;
  if (name === 'half' ? after === '-' : after !== 'of') return null;
  return part(1 / parts, at + 2);
}

function halfAt(tokens: Token[], at: number): Numeral | null {
  const after = tokens[at + 1]?.lower ?? '';
  const before = tokens[at - 1]?.lower ?? '';
  if (!AFTER_HALF.has(after) && !BEFORE_HALF.has(before)) return null;
  if (tokens[at + 1]?.glued && after === '-') return null;
  const isArticle = after === 'a' || after === 'an';
  const magnitude = isArticle ? MAGNITUDES.get(tokens[at + 2]?.lower ?? '') : undefined;
  if (magnitude !== undefined)
    return { value: magnitude / 2, precision: magnitude / 2, next: at + 3, inWords: true, scaled: true, isPart: false };
  // 'the second half of the match', 'in half'
  if (OTHER_HALVES.has(before)) return null;
  if (NO_WHOLES.has(tokens[at + 3]?.lower ?? '') && after === 'of') return null;
  return part(0.5, at + 1);
}

function part(value: number, next: number): Numeral {
  return { value, precision: 0.01, next, inWords: true, scaled: false, isPart: true };
}
