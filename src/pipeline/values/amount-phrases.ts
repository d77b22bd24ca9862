/** An amount with what stands around it: bounds, a second amount, what is counted, and per what. */
import { type Amount, amountAt, inBaseUnit } from './amounts.ts';
import { bound, prefixesBefore, suffixAt } from './bounds.ts';
import { countedAt } from './counted.ts';
import { numeralAt } from './numerals.ts';
import { type Range, rangeFrom } from './ranges.ts';
import { type Rate, rateAt } from './rates.ts';
import { type Role, roleOf } from './roles.ts';
import type { Token } from './tokens.ts';
import { UNIT_WORDS, type Unit } from './units.ts';
import { type Quantity, stretchOf } from './value.ts';
import { isYear } from './years.ts';

export interface AmountPhrase {
  value: Quantity;
  first: number;
  next: number;
  counted: string;
  role: Role | 'per' | '';
}

/** 'One in five' may stand for 19 or 21 percent. */
const PART_PRECISION = 0.05;
/** 'By 3 to 5 percent' is a range, 'by 400 to 2,310' is not. */
const MAX_RANGE = 3;
const AGE = new Set(['aged', 'age', 'ages']);
const TIMES: Unit = { dimension: 'ratio', factor: 1, offset: 0, name: 'times' };

/** A number is the token after what measures nothing; null means that no amount begins here. */
export function amountPhraseAt(tokens: Token[], at: number, floor: number): AmountPhrase | number | null {
  const amount = asTimes(tokens, amountAt(tokens, at));
  if (!amount) return null;
  const range = rangeOf(tokens, amount, floor);
  if (range === 'score') return amount.next + 2;
  const isAge = followsAge(tokens, amount.first);
  const low = asAge(range ? range.low : amount, isAge);
  const high = range ? asAge(range.high, isAge) : low;
  const end = range ? Math.max(low.next, high.next) : amount.next;
  const share = range ? null : oneIn(tokens, amount);
  return assemble(tokens, share ?? low, share ?? high, share?.next ?? end, floor);
}

function assemble(tokens: Token[], low: Amount, high: Amount, end: number, floor: number): AmountPhrase {
  let next = end;
  const early = suffixAt(tokens, next);
  if (early) next = early.next;
  let rate = rateAt(tokens, next);
  if (rate) next = rate.next;
  const isPlain = !low.unit || low.unit.name === 'points';
  const noun = !low.unit && !low.isPart && !rate ? countedAt(tokens, next, high.value === 1) : { noun: '', next };
  rate ??= rateAt(tokens, noun.next);
  if (rate && rate.next > next) next = rate.next;
  const late = early ?? suffixAt(tokens, Math.max(noun.next, next));
  if (late && late !== early) next = late.next;
  const isRange = low !== high;
  const opener = tokens[Math.min(low.first, high.first) - 1]?.lower;
  const start = Math.min(low.first, high.first) - (isRange && (opener === 'between' || opener === 'from') ? 1 : 0);
  const { modifiers, first } = prefixesBefore(tokens, start, floor);
  const role = roleOf(tokens, first, Math.max(next, end), isPlain && noun.noun !== '') ?? (rate ? 'per' : '');
  let value = quantity(low, high, rate);
  for (const modifier of late ? [...modifiers, late.modifier] : modifiers) value = bound(value, modifier);
  // 'Tickets cost from £12.'
  const isStart = !isRange && role === '' && value.dimension === 'money' && tokens[first - 1]?.lower === 'from';
  if (isStart && value.low === value.high) value = { ...value, high: null };
  return { value, first, next, counted: noun.noun, role };
}

function quantity(low: Amount, high: Amount, rate: Rate | null): Quantity {
  const { unit } = low;
  const divisor = rate?.divisor ?? 1;
  const factor = (unit?.factor ?? 1) / divisor;
  return stretchOf(
    unit?.dimension ?? (low.isPart ? 'ratio' : 'count'),
    (unit?.name ?? '') + (rate?.name ?? ''),
    [inBaseUnit(low) / divisor, inBaseUnit(high) / divisor],
    Math.min(low.precision, high.precision) * factor,
  );
}

/** Not in 'rose from 1,900 to 2,310' and 'rose by 400 to 2,310', which tell of two figures. */
function rangeOf(tokens: Token[], amount: Amount, floor: number): Range | 'score' | null {
  const { first } = prefixesBefore(tokens, amount.first, floor);
  const before = tokens[first - 1]?.lower;
  const isChange = (before === 'from' || before === 'by') && roleOf(tokens, first, amount.next, true) !== null;
  if (isChange && before === 'from') return null;
  const range = rangeFrom(tokens, amount);
  if (!isChange || !range) return range;
  return range !== 'score' && inBaseUnit(range.high) <= inBaseUnit(range.low) * MAX_RANGE ? range : null;
}

/** 'one in five', 'four in ten' */
function oneIn(tokens: Token[], amount: Amount): Amount | null {
  if (
    tokens[amount.next]?.lower !== 'in' ||
    amount.unit ||
    amount.scaled ||
    amount.isPart ||
    isYear(tokens, amount.next + 1)
  )
    return null;
  const whole = numeralAt(tokens, amount.next + 1);
  if (!whole || whole.value <= amount.value || whole.value % 1 !== 0 || amount.value < 1 || amount.value % 1 !== 0)
    return null;
  const after = tokens[whole.next];
  if (
    after?.kind === 'mark'
      ? after.glued && after.text !== ',' && after.text !== '.'
      : UNIT_WORDS.has(after?.lower ?? '')
  )
    return null;
  if (!amount.inWords && amount.value > 1 && whole.value % 10 !== 0) return null;
  const value = amount.value / whole.value;
  return { ...amount, value, precision: value * PART_PRECISION, next: whole.next, isPart: true };
}

/** '2x', 'five-fold' */
function asTimes(tokens: Token[], amount: Amount | null): Amount | null {
  if (!amount || amount.unit) return amount;
  const after = tokens[amount.next];
  if (
    after?.glued &&
    (after.text === 'x' || after.text === '×') &&
    !(tokens[amount.next + 1]?.glued && tokens[amount.next + 1]?.kind === 'number')
  )
    return { ...amount, unit: TIMES, next: amount.next + 1 };
  const index = after?.text === '-' ? amount.next + 1 : amount.next;
  return tokens[index]?.lower === 'fold' ? { ...amount, unit: TIMES, next: index + 1 } : amount;
}

/** 'aged 26', 'between the ages of 6 and 15' */
function followsAge(tokens: Token[], first: number): boolean {
  const at = tokens[first - 1]?.lower === 'of' ? first - 2 : first - 1;
  return AGE.has(tokens[at]?.lower ?? '');
}

function asAge(amount: Amount, isAge: boolean): Amount {
  return isAge && !amount.unit ? { ...amount, unit: UNIT_WORDS.get('year') as Unit } : amount;
}
