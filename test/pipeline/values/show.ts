/** Quantities as short lines, so that a test table can be read. */
import { type FoundQuantity, findQuantities } from '../../../src/pipeline/values/find.ts';
import type { Quantity } from '../../../src/pipeline/values/value.ts';

const DAY_MS = 86_400_000;

/** 'length (300,' for more than 300 m; '~' for about; dates as days. */
export function show({ dimension, unit, low, high, lowOpen, highOpen, approximate }: Quantity): string {
  const end = (value: number | null) => (value === null ? '' : dimension === 'date' ? day(value) : round(value));
  const stretch = low === high ? end(low) : `${lowOpen ? '(' : '['}${end(low)},${end(high)}${highOpen ? ')' : ']'}`;
  return [dimension, unit, `${approximate ? '~' : ''}${stretch}`].filter((part) => part !== '').join(' ');
}

/** Each as `phrase = value`. */
export function found(text: string): string[] {
  return findQuantities(text).map(({ value, start, end }) => `${text.slice(start, end)} = ${show(value)}`);
}

export function only(text: string): FoundQuantity {
  const quantities = findQuantities(text);
  if (quantities.length !== 1)
    throw new Error(`${quantities.length} quantities in '${text}': ${found(text).join('; ')}`);
  return quantities[0] as FoundQuantity;
}

function day(value: number): string {
  return new Date(value * DAY_MS).toISOString().slice(0, 10);
}

function round(value: number): string {
  return String(Number(value.toPrecision(7)));
}
