/** Values for made-up records: any two of a kind are so far apart that no rounding makes them one. */
import type { Chance } from '../../../storm/chance.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const FIRST = 'Anna Tom Lena Marcus Ines Piotr Sofia Daniel Greta Ahmed Clara Victor'.split(' ');
const LAST = 'Larsen Becker Okafor Silva Novak Haddad Moreau Lindqvist Romano Kowalski Brandt Iversen'.split(' ');
const FIRMS = 'Cobalt Borealis Ashgrove Meridian Halden Tarn Vesper Quarry Lumen Orchard Sable Fenwick'.split(' ');
const TRADES = 'Shipping Foods Robotics Glass Timber Logistics Energy Textiles'.split(' ');

type Make = (chance: Chance) => string;

/** In steps, of which each is more than a rounding of the largest. */
const grid = (from: number, step: number, steps: number) => (chance: Chance) => from + step * chance.below(steps);

const grouped = (value: number) => value.toLocaleString('en-US');

export const count = (from: number, step: number, steps = 40, unit = ''): Make => {
  const value = grid(from, step, steps);
  return (chance) => `${grouped(value(chance))}${unit && ` ${unit}`}`;
};

export const money = (from: number, step: number, steps = 40): Make => {
  const value = grid(from, step, steps);
  return (chance) => `€${grouped(value(chance))}`;
};

export const millions: Make = (chance) => `€${(10 + 0.7 * chance.below(90)).toFixed(1)} million`;
export const percent: Make = (chance) => `${3 + 2 * chance.below(18)} %`;
export const day: Make = (chance) => `${1 + chance.below(28)} ${chance.pick(MONTHS)} 2024`;
export const isoDay: Make = (chance) =>
  `20${20 + chance.below(5)}-${String(1 + chance.below(12)).padStart(2, '0')}-${String(1 + chance.below(28)).padStart(2, '0')}`;
export const year: Make = (chance) => String(1890 + 3 * chance.below(40));
export const person: Make = (chance) => `${chance.pick(FIRST)} ${chance.pick(LAST)}`;
export const firm: Make = (chance) => `${chance.pick(FIRMS)} ${chance.pick(TRADES)}`;
export const oneOf =
  (...words: string[]): Make =>
  (chance) =>
    chance.pick(words);

/** A firm for each n. */
export const nthFirm = (n: number) =>
  `${FIRMS[n % FIRMS.length]} ${TRADES[Math.floor(n / FIRMS.length) % TRADES.length]}`;
