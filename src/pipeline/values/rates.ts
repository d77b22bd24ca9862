/** What an amount is taken per: '$3 a day', '12 per 100,000'. */
import { numeralAt } from './numerals.ts';
import type { Token } from './tokens.ts';
import { unitAt } from './unit-reader.ts';
import { UNIT_WORDS } from './units.ts';

export interface Rate {
  /** Of the quantity's unit: '/time', '/person'. */
  name: string;
  divisor: number;
  next: number;
}

const ADVERBS = new Map(
  Object.entries({ annually: 'year', yearly: 'year', monthly: 'month', weekly: 'week', daily: 'day', hourly: 'hour' }),
);
/** 'Three a person', but not 'three a cappella songs'. */
const EACH = new Set(
  'person head share night piece barrel gallon litre liter pound kilo ton tonne ounce seat pupil student child employee household'.split(
    ' ',
  ),
);

export function rateAt(tokens: Token[], at: number): Rate | null {
  const token = tokens[at];
  if (!token) return null;
  const adverb = ADVERBS.get(token.lower);
  if (adverb) return { name: '/time', divisor: UNIT_WORDS.get(adverb)?.factor ?? 1, next: at + 1 };
  const isPer = token.lower === 'per' || (token.text === '/' && token.glued);
  const word = tokens[at + 1];
  if (isPer) return perAt(tokens, at + 1);
  const isArticle = token.lower === 'a' || token.lower === 'an' || token.lower === 'each' || token.lower === 'every';
  if (!isArticle || word?.kind !== 'word') return null;
  const unit = UNIT_WORDS.get(word.lower);
  if (
    unit?.dimension === 'time' &&
    !word.lower.endsWith('s') &&
    tokens[at + 2]?.lower !== 'ago' &&
    tokens[at + 2]?.lower !== 'later'
  )
    return { name: '/time', divisor: unit.factor, next: at + 2 };
  return EACH.has(word.lower) ? { name: `/${word.lower}`, divisor: 1, next: at + 2 } : null;
}

function perAt(tokens: Token[], at: number): Rate | null {
  const word = tokens[at];
  if (!word || word.kind === 'mark') return null;
  if (word.lower === 'annum') return { name: '/time', divisor: UNIT_WORDS.get('year')?.factor ?? 1, next: at + 1 };
  const number = numeralAt(tokens, at);
  if (number) {
    const unit = unitAt(tokens, number.next, number.inWords, number.value);
    if (unit)
      return { name: `/${unit.unit.dimension}`, divisor: number.value * unit.unit.factor || 1, next: unit.next };
    return { name: '/count', divisor: number.value || 1, next: number.next };
  }
  const unit = unitAt(tokens, at, false, 1);
  if (unit && unit.unit.dimension !== 'money')
    return { name: `/${unit.unit.dimension}`, divisor: unit.unit.factor, next: unit.next };
  return word.kind === 'word' ? { name: `/${word.lower}`, divisor: 1, next: at + 1 } : null;
}
