/** One spelling for each value: '2.4 km' and '2,400 m', 'half' and '50%' have the same key. */
import type { Quantity } from './value.ts';

/** Digits that conversion between units leaves alone. */
const SIGNIFICANT_DIGITS = 9;
const WHOLE_MOST = 10 ** SIGNIFICANT_DIGITS;
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
  if (Number.isInteger(end) && Math.abs(end) < WHOLE_MOST) return `${end + 0}`;
  // Adding nought makes one of the two noughts that floating numbers have.
  return String(Number(end.toPrecision(SIGNIFICANT_DIGITS)) + 0);
}
