/** An amount with what stands around it: bounds, a second amount, what is counted, and per what. */
import { type Amount, amountAt, inBaseUnit } from './amounts.ts';
import { bound, prefixesBefore, suffixAt } from './bounds.ts';
import { countedAt } from './counted.ts';
import { type Range, rangeFrom } from './ranges.ts';
import { type Rate, rateAt } from './rates.ts';
import { type Role, roleOf } from './roles.ts';
import type { Token } from './tokens.ts';
import { UNIT_WORDS, type Unit } from './units.ts';
import { type Quantity, stretchOf } from './value.ts';

export interface AmountPhrase {
  value: Quantity;
  first: number;
  next: number;
  counted: string;
  role: Role | 'per' | '';
}

/** 'By 3 to 5 percent' is a range, 'by 400 to 2,310' is not. */
const MAX_RANGE = 3;
const AGE = new Set(['aged', 'age', 'ages']);

/** A number is the token after what measures nothing; null means that no amount begins here. */
export function amountPhraseAt(tokens: Token[], at: number, floor: number): AmountPhrase | number | null {
  const amount = amountAt(tokens, at);
  if (!amount) return null;
  const range = rangeOf(tokens, amount, floor);
  if (range === 'score') return amount.next + 2;
  const isAge = followsAge(tokens, amount.first);
  const low = asAge(range ? range.low : amount, isAge);
  const high = range ? asAge(range.high, isAge) : low;
  return assemble(tokens, low, high, range ? Math.max(low.next, high.next) : amount.next, floor);
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

/** 'aged 26', 'between the ages of 6 and 15' */
function followsAge(tokens: Token[], first: number): boolean {
  const at = tokens[first - 1]?.lower === 'of' ? first - 2 : first - 1;
  return AGE.has(tokens[at]?.lower ?? '');
}

function asAge(amount: Amount, isAge: boolean): Amount {
  return isAge && !amount.unit ? { ...amount, unit: UNIT_WORDS.get('year') as Unit } : amount;
}
