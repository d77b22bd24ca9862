/** Reads one number at a token: digits with their magnitude, words, fractions. */
import { CARDINALS, LETTER_MAGNITUDES, MAGNITUDES, PARTS } from '../lexicon/number-words.ts';
import { CURRENCY_SYMBOLS } from './currencies.ts';
import { wholePrecision } from './digits.ts';
import type { Token } from './tokens.ts';

export interface Numeral {
  value: number;
  precision: number;
  /** The token after it. */
  next: number;
  inWords: boolean;
  /** Whether it has a magnitude of its own; in '5 to 7 million' the five has not. */
  scaled: boolean;
  /** A part of a whole, such as 'two thirds'. */
  isPart: boolean;
}

/** No number has more groups of digits. */
const MAX_GROUPS = 5;
/** Other numbers below the line are marks, dates and names: 8/10, 9/11. */
const DENOMINATORS = new Set([2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64]);

export function numeralAt(tokens: Token[], at: number): Numeral | null {
  const token = tokens[at];
  if (token?.kind === 'number') return digitsAt(tokens, at, token);
  if (token?.kind !== 'word') return null;
  const words = wordsAt(tokens, at);
  return words && (partsAt(tokens, words) ?? words);
}

function digitsAt(tokens: Token[], at: number, token: Token): Numeral {
  const plain: Numeral = {
    value: token.value,
    precision: token.precision,
    next: at + 1,
    inWords: false,
    scaled: false,
    isPart: token.value < 1 && token.precision === 0.01 && token.text.length === 1,
  };
  const groups = groupsAt(tokens, at, token);
  if (groups) return scaledBy(tokens, groups);
  const fraction = slashAt(tokens, at, token);
  if (fraction) return fraction;
  // '1 3/4'
  const part = tokens[at + 1]?.kind === 'number' ? slashAt(tokens, at + 1, tokens[at + 1] as Token) : null;
  if (part && part.value < 1 && !token.dressed) return { ...part, value: token.value + part.value, isPart: false };
  return partsAt(tokens, plain) ?? scaledBy(tokens, withHalf(tokens, plain));
}

/** '20 000' with an ordinary blank: only where it cannot be two numbers, after a currency or with a third group. */
function groupsAt(tokens: Token[], at: number, token: Token): Numeral | null {
  if (token.dressed || token.text.length > 3) return null;
  let { value } = token;
  let next = at + 1;
  for (; next < at + MAX_GROUPS; next++) {
    const group = tokens[next];
    if (group?.kind !== 'number' || group.text.length !== 3 || group.start !== (tokens[next - 1]?.end ?? 0) + 1) break;
    value = value * 1000 + group.value;
  }
  const groups = next - at - 1;
  if (groups === 0 || (groups === 1 && !CURRENCY_SYMBOLS.has(tokens[at - 1]?.text ?? ''))) return null;
  return { value, precision: wholePrecision(value), next, inWords: false, scaled: false, isPart: false };
}

function slashAt(tokens: Token[], at: number, top: Token): Numeral | null {
  const below = tokens[at + 2];
  if (tokens[at + 1]?.text !== '/' || below?.kind !== 'number' || top.dressed || below.dressed) return null;
  const after = tokens[at + 3];
  if (after?.glued && (after.text === '/' || after.kind !== 'mark')) return null;
  if (!DENOMINATORS.has(below.value) || top.value >= below.value || top.value === 0) return null;
  return { value: top.value / below.value, precision: 0.01, next: at + 3, inWords: false, scaled: false, isPart: true };
}

/** 'two and a half million' */
function withHalf(tokens: Token[], numeral: Numeral): Numeral {
  const at = numeral.next;
  if (tokens[at]?.lower !== 'and' || tokens[at + 1]?.lower !== 'a' || tokens[at + 2]?.lower !== 'half') return numeral;
  return { ...numeral, value: numeral.value + 0.5, precision: 0.5, next: at + 3 };
}

function scaledBy(tokens: Token[], numeral: Numeral): Numeral {
  let result = numeral;
  for (let token = tokens[result.next]; token?.kind === 'word'; token = tokens[result.next]) {
    const letters = token.glued && !result.scaled ? LETTER_MAGNITUDES.get(token.text) : undefined;
    const factor = letters ?? MAGNITUDES.get(token.lower);
    if (factor === undefined || (letters === undefined && token.glued && token.lower.length < 3)) break;
    result = {
      ...result,
      value: result.value * factor,
      precision: result.precision * factor,
      next: result.next + 1,
      scaled: true,
    };
    // '2.5 hundred thousand' and '1 lakh crore' exist; a third magnitude does not.
    if (factor > 1e5) break;
  }
  return result;
}

function wordsAt(tokens: Token[], at: number): Numeral | null {
  let total = 0;
  let current = -1;
  let scale = Number.POSITIVE_INFINITY;
  let next = at;
  const first = tokens[at]?.lower;
  if (first === 'a' || first === 'an') {
    if (!MAGNITUDES.has(tokens[at + 1]?.lower ?? '')) return null;
    current = 1;
    next = at + 1;
  } else if (!CARDINALS.has(first ?? '')) return null;
  for (let done = false; !done; ) {
    const word = tokens[next]?.lower ?? '';
    const small = CARDINALS.get(word);
    const factor = MAGNITUDES.get(word);
    if (small !== undefined && fits(current, small)) current = Math.max(current, 0) + small;
    else if (word === 'hundred' && current < 100) current = Math.max(current, 1) * 100;
    else if (factor !== undefined && factor !== 100 && factor < scale) {
      total += Math.max(current, 1) * factor;
      current = 0;
      scale = factor;
    } else if (!joins(tokens, next, current)) done = true;
    if (!done) next++;
  }
  const value = total + Math.max(current, 0);
  const scaled = scale < Number.POSITIVE_INFINITY;
  const numeral = { value, precision: wholePrecision(value), next, inWords: true, scaled, isPart: false };
  if (scaled) return scaledBy(tokens, numeral);
  const half = withHalf(tokens, numeral);
  return half === numeral ? numeral : scaledBy(tokens, half);
}

function fits(current: number, small: number): boolean {
  if (current < 0) return true;
  if (current % 100 === 0) return small > 0;
  return current % 10 === 0 && current % 100 >= 20 && small > 0 && small < 10;
}

/** The 'and' of 'two hundred and six' and the hyphen of 'twenty-five'. */
function joins(tokens: Token[], at: number, current: number): boolean {
  const token = tokens[at];
  const after = tokens[at + 1];
  const small = CARDINALS.get(after?.lower ?? '');
  if (small === undefined || current < 0) return false;
  if (token?.lower === 'and')
    return current % 100 === 0 && tokens[at - 1]?.kind === 'word' && !CARDINALS.has(tokens[at - 1]?.lower ?? '');
  return (
    (token?.text === '-' || token?.text === '\u2011') &&
    token.glued &&
    after?.glued === true &&
    fits(current, small) &&
    current > 0
  );
}

/** 'two thirds', 'three-quarters', 'one third'. */
function partsAt(tokens: Token[], count: Numeral): Numeral | null {
  let at = count.next;
  if (tokens[at]?.text === '-' && tokens[at]?.glued) at++;
  const word = tokens[at]?.lower ?? '';
  const parts = PARTS.get(word);
  if (parts === undefined || count.value >= parts || count.value === 0 || count.value % 1 !== 0) return null;
  const isPlural = word.endsWith('s');
  if (isPlural !== count.value > 1 || count.value > 19) return null;
  return { value: count.value / parts, precision: 0.01, next: at + 1, inWords: true, scaled: false, isPart: true };
}
