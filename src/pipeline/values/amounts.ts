/** Reads one amount at a token: sign, currency, number, magnitude, unit; compound ones such as '5 ft 11 in' as well. */
import { MONEY_MAGNITUDES } from '../lexicon/number-words.ts';
import { CURRENCY_CODES, CURRENCY_SYMBOLS, DOLLAR_PREFIXES } from './currencies.ts';
import { type Numeral, numeralAt } from './numerals.ts';
import { partAt } from './parts.ts';
import type { Token } from './tokens.ts';
import { type ReadUnit, unitAt } from './unit-reader.ts';
import { FOOT, HOUR, UNIT_WORDS, type Unit } from './units.ts';

export interface Amount extends Numeral {
  /** The token that it begins with. */
  first: number;
  unit: Unit | null;
  /** In the base unit: the minutes of '2 h 30 min'. */
  rest: number;
}

const MINUS = new Set(['-', '−', 'minus', 'negative']);
const FEET = "'′’";
const INCHES = '"″”';

export function amountAt(tokens: Token[], at: number): Amount | null {
  const token = tokens[at];
  if (!token) return null;
  const currency = currencyAt(tokens, at, token);
  const from = currency ? currency.next : at;
  const signed =
    MINUS.has(tokens[from]?.lower ?? '') || (tokens[from]?.text === '+' && tokens[from + 1]?.glued === true);
  const numeral = numeralAt(tokens, signed ? from + 1 : from) ?? (signed || currency ? null : partAt(tokens, at));
  if (!numeral) return null;
  const value = signed && tokens[from]?.text !== '+' ? -numeral.value : numeral.value;
  const first = currency ? currency.first : at;
  if (currency) {
    const isDebt = isNegative(tokens, first);
    const scaled = moneyScale(tokens, { ...numeral, value: isDebt ? -value : value });
    return {
      ...scaled,
      first: isDebt ? first - 1 : first,
      unit: { dimension: 'money', factor: 1, offset: 0, name: currency.code },
      rest: 0,
    };
  }
  return withUnit(tokens, { ...numeral, value, first, unit: null, rest: 0 });
}

export function inBaseUnit({ value, unit, rest }: Amount): number {
  return unit ? value * unit.factor + unit.offset + rest : value;
}

function currencyAt(tokens: Token[], at: number, token: Token): { code: string; first: number; next: number } | null {
  if (token.kind === 'word') {
    const code = CURRENCY_CODES.get(token.text);
    return code && tokens[at + 1]?.kind === 'number' ? { code, first: at, next: at + 1 } : null;
  }
  const code = token.kind === 'mark' ? CURRENCY_SYMBOLS.get(token.text) : undefined;
  if (!code) return null;
  const nation = token.text === '$' && token.glued ? DOLLAR_PREFIXES.get(tokens[at - 1]?.text ?? '') : undefined;
  return { code: nation ?? code, first: nation ? at - 1 : at, next: at + 1 };
}

/** '-$5' */
function isNegative(tokens: Token[], first: number): boolean {
  const sign = tokens[first - 1];
  return (sign?.text === '-' || sign?.text === '−') && !sign.glued && tokens[first]?.glued === true;
}

function moneyScale(tokens: Token[], numeral: Numeral): Numeral {
  const token = tokens[numeral.next];
  const factor = numeral.scaled || !token ? undefined : MONEY_MAGNITUDES.get(token.text);
  if (factor === undefined) return numeral;
  const { value, precision, next } = numeral;
  return { ...numeral, value: value * factor, precision: precision * factor, next: next + 1, scaled: true };
}

function withUnit(tokens: Token[], amount: Amount): Amount {
  const feet = feetAt(tokens, amount);
  if (feet) return feet;
  const next = amount.isPart ? skipArticle(tokens, amount.next) : amount.next;
  const read = moneyAfterLetter(tokens, amount) ?? unitAt(tokens, next, amount.inWords, amount.value);
  if (!read) return amount;
  const scale = read.next > next + 1 && !amount.scaled && MONEY_MAGNITUDES.get(tokens[next]?.text ?? '');
  const factor = scale && read.unit.dimension === 'money' && tokens[next]?.glued ? scale : 1;
  const value = amount.value * factor;
  const precision = amount.precision * factor;
  return compound(tokens, { ...amount, value, precision, unit: read.unit, next: read.next, isPart: false });
}

/** Up to the unit of 'half a mile' and 'a third of a mile'. */
function skipArticle(tokens: Token[], at: number): number {
  const article = tokens[at]?.lower === 'of' ? at + 1 : at;
  const isArticle = tokens[article]?.lower === 'a' || tokens[article]?.lower === 'an';
  return isArticle && UNIT_WORDS.has(tokens[article + 1]?.lower ?? '') ? article + 1 : at;
}

/** '5m euros', '5M USD' */
function moneyAfterLetter(tokens: Token[], amount: Amount): ReadUnit | null {
  const letter = tokens[amount.next];
  if (amount.scaled || !letter?.glued || !MONEY_MAGNITUDES.has(letter.text)) return null;
  const read = unitAt(tokens, amount.next + 1, false, 2);
  return read?.unit.dimension === 'money' ? read : null;
}

/** 6'2" */
function feetAt(tokens: Token[], amount: Amount): Amount | null {
  const mark = tokens[amount.next];
  const inches = tokens[amount.next + 1];
  const close = tokens[amount.next + 2];
  if (!mark?.glued || mark.kind !== 'mark' || !FEET.includes(mark.text) || inches?.kind !== 'number') return null;
  if (!close?.glued || !INCHES.includes(close.text) || inches.value >= 12) return null;
  const unit = UNIT_WORDS.get('foot') as Unit;
  return { ...amount, unit, rest: (inches.value * FOOT) / 12, precision: 1 / 12, next: amount.next + 3 };
}

/** Adds what follows in smaller units. */
function compound(tokens: Token[], amount: Amount): Amount {
  let whole = amount;
  let smallest = amount.unit as Unit;
  const largest = smallest;
  if (!['length', 'mass', 'time'].includes(smallest.dimension) || amount.value % 1 !== 0) return amount;
  for (;;) {
    const joint = tokens[whole.next]?.lower;
    const isListed = joint === ',' && tokens[whole.next + 1]?.lower === 'and';
    const at = isListed ? whole.next + 2 : joint === 'and' || joint === ',' ? whole.next + 1 : whole.next;
    const part = tokens[at]?.kind === 'mark' ? null : numeralAt(tokens, at);
    const read =
      part && (smallerAt(tokens, part.next, smallest) ?? unitAt(tokens, part.next, part.inWords, part.value));
    if (!read || read.unit.dimension !== smallest.dimension || read.unit.factor >= smallest.factor) return whole;
    if (part.value * read.unit.factor >= smallest.factor) return whole;
    smallest = read.unit;
    const precision = (part.precision * smallest.factor) / largest.factor;
    whole = { ...whole, rest: whole.rest + part.value * smallest.factor, precision, next: read.next };
  }
}

/** Letters that mean something else by themselves: the inches of '5 ft 11 in', the minutes of '1h 20m'. */
function smallerAt(tokens: Token[], at: number, larger: Unit): ReadUnit | null {
  const word = tokens[at]?.text;
  const name =
    word === 'in' && larger.factor === FOOT ? 'inch' : word === 'm' && larger.factor === HOUR ? 'minute' : '';
  return name === '' ? null : { unit: UNIT_WORDS.get(name) as Unit, next: at + 1 };
}
