/** Names of what quantities are measured in, for people. */
import type { Dimension, Quantity } from '../values/value.ts';

/** What the values of a dimension are converted to. */
const BASE_UNITS: Record<Dimension, string> = {
  count: '',
  ratio: '',
  ordinal: '',
  money: '',
  date: '',
  clock: '',
  percent: '%',
  length: 'm',
  mass: 'kg',
  volume: 'l',
  area: 'm2',
  temperature: '°C',
  time: 's',
  data: 'B',
  power: 'W',
  speed: 'm/s',
};

/** Units that are compared by their names, which have no capitals. */
const NAMED = new Map([
  ['wh', 'Wh'],
  ['hz', 'Hz'],
  ['v', 'V'],
  ['pa', 'Pa'],
  ['j', 'J'],
  ['mah', 'mAh'],
  ['points', 'percentage points'],
]);

/** '' where it is a plain number, or money that is not a rate. */
export function unitOf({ dimension, unit }: Quantity): string {
  const { name, per } = partsOf(unit);
  const measured = dimension === 'money' ? '' : (NAMED.get(name) ?? (name || BASE_UNITS[dimension]));
  if (per === '') return measured;
  const base = BASE_UNITS[per as Dimension] ?? per;
  // Per so many, as in '12 per 100,000', is a number again.
  return base === '' ? measured : `${measured || '1'}/${base}`;
}

export const currencyOf = ({ unit }: Quantity) => partsOf(unit).name.toUpperCase();

/** 'usd/time' is money of some kind per time. */
function partsOf(unit: string): { name: string; per: string } {
  const [name = '', per = ''] = unit.split('/', 2);
  return { name: name.trim(), per };
}
