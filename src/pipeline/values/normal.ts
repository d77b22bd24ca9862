/** One spelling for each value: '2.4 km' and '2,400 m', 'half' and '50%' have the same key. */
import type { Quantity } from './value.ts';

/** Digits that conversion between units leaves alone. */
const SIGNIFICANT_DIGITS = 9;
const MAX_WHOLE = 10 ** SIGNIFICANT_DIGITS;
const PERCENT = 100;

/** Parts of a whole as percentages; everything else as it is. */
export function normalise(quantity: Quantity): Quantity {
  if (quantity.dimension !== 'ratio' || quantity.unit !== '') return quantity;
  const { low, high, precision } = quantity;
  return {
    ...quantity,
    dimension: 'percent',
    low: low === null ? null : low * PERCENT,
    high: high === null ? null : high * PERCENT,
    precision: precision * PERCENT,
  };
}

/** The same for equal values, whatever they were rounded to. */
export function valueKey(quantity: Quantity): string {
  const { dimension, unit, low, high, lowOpen, highOpen, approximate } = normalise(quantity);
  const ends = `${lowOpen ? '(' : '['}${show(low)},${show(high)}${highOpen ? ')' : ']'}`;
  return `${dimension}:${unit}:${approximate ? '~' : ''}${ends}`;
}

function show(end: number | null): string {
  if (end === null) return '';
  // Most are whole and short, and writing digits is slow.
  if (isShort(end)) return `${end + 0}`;
  // Adding nought makes one of the two noughts that floating numbers have.
  return String(Number(end.toPrecision(SIGNIFICANT_DIGITS)) + 0);
}

/** Whether they have the same key, without writing it: claims are held against each other by the thousand. */
export function haveSameKey(a: Quantity, b: Quantity): boolean {
  const [one, other] = [normalise(a), normalise(b)];
  return (
    one.dimension === other.dimension &&
    one.unit === other.unit &&
    one.approximate === other.approximate &&
    one.lowOpen === other.lowOpen &&
    one.highOpen === other.highOpen &&
    isSameEnd(one.low, other.low) &&
    isSameEnd(one.high, other.high)
  );
}

function isSameEnd(one: number | null, other: number | null): boolean {
  if (one === other) return true;
  if (one === null || other === null || (isShort(one) && isShort(other))) return false;
  return show(one) === show(other);
}

const isShort = (end: number) => Number.isInteger(end) && Math.abs(end) < MAX_WHOLE;
