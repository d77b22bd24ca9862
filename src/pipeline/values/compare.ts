/** Says whether two values can both be true of the same thing. */
import { compareDates } from './compare-dates.ts';
import { haveSameKey, normalise } from './normal.ts';
import type { Comparison, Quantity } from './value.ts';

/** How far 'about' reaches, as a share of the value: farther where only one digit is given. */
const ABOUT = 0.1;
const ABOUT_ONE_DIGIT = 0.15;
/** A number may be the rounding of another up to here: 100 stands for 103, not for 140. */
const ROUNDING = 0.05;
/** Against a bound less is forgiven: it was chosen with the number in view. */
const ROUNDING_AT_BOUND = 0.01;
const ABOUT_AT_BOUND = 0.08;
/** From here on a number that ends in noughts is loose enough to say 'more than' of it. */
const ROUND_FROM = 100;
/** Floating noise, as a share of the value. */
const NOISE = 1e-9;

export function compareQuantities(a: Quantity, b: Quantity): Comparison {
  if (a.dimension === 'date' || b.dimension === 'date') {
    return a.dimension === b.dimension ? compareDates(a, b) : 'incomparable';
  }
  const first = normalise(a);
  const second = normalise(b);
  if (first.dimension !== second.dimension || first.unit !== second.unit) return 'incomparable';
  if (haveSameKey(first, second)) return 'equal';
  return isPoint(first) && isPoint(second) ? comparePoints(first, second) : compareStretches(first, second);
}

function comparePoints(a: Quantity, b: Quantity): Comparison {
  const slack = Math.max(slackOf(a, false), slackOf(b, false));
  return Math.abs((a.low ?? 0) - (b.low ?? 0)) <= slack + noise(a, b) ? 'compatible' : 'incompatible';
}

function compareStretches(a: Quantity, b: Quantity): Comparison {
  const gap = Math.max(distance(a, b), distance(b, a));
  if (gap < -noise(a, b)) return 'compatible';
  if (gap <= noise(a, b)) return touch(a, b);
  const slack = Math.max(slackOf(a, true), slackOf(b, true));
  return gap <= slack ? 'compatible' : 'incompatible';
}

/** From the top of one to the bottom of the other; nothing lies above an end that nothing bounds. */
function distance({ high }: Quantity, { low }: Quantity): number {
  return high === null || low === null ? Number.NEGATIVE_INFINITY : low - high;
}

/**
 * The ends meet. 'Over 1.8 million' and '1.8 million' are the same figure put loosely; 'more than 18' and '18' are not, and
 * nobody says 'less than 300' for 300.
 */
function touch(a: Quantity, b: Quantity): Comparison {
  if (a.approximate || b.approximate) return 'compatible';
  const point = isPoint(a) ? a : isPoint(b) ? b : null;
  const other = point === a ? b : a;
  if (!point) return meetsOpen(a, b) ? 'incompatible' : 'compatible';
  const isAbove = other.low === point.low || near(other.low, point.low);
  if (!(isAbove ? other.lowOpen : other.highOpen)) return 'compatible';
  return isAbove && isRound(point) ? 'compatible' : 'incompatible';
}

function meetsOpen(a: Quantity, b: Quantity): boolean {
  const isOpen = (lower: Quantity, upper: Quantity) => near(lower.high, upper.low) && (lower.highOpen || upper.lowOpen);
  return isOpen(a, b) || isOpen(b, a);
}

function near(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= NOISE * Math.max(Math.abs(a), Math.abs(b));
}

function isRound({ dimension, precision }: Quantity): boolean {
  return (dimension === 'count' || dimension === 'money') && precision >= ROUND_FROM;
}

function slackOf(quantity: Quantity, atBound: boolean): number {
  if (quantity.dimension === 'ordinal' || quantity.dimension === 'clock') return 0;
  const size = Math.max(Math.abs(quantity.low ?? 0), Math.abs(quantity.high ?? 0));
  if (quantity.approximate) {
    const share = quantity.precision >= size * ABOUT ? ABOUT_ONE_DIGIT : ABOUT;
    return size * (atBound ? ABOUT_AT_BOUND : share);
  }
  // Between the ends of a range nothing was rounded.
  return isPoint(quantity) ? Math.min(quantity.precision / 2, size * (atBound ? ROUNDING_AT_BOUND : ROUNDING)) : 0;
}

function isPoint({ low, high }: Quantity): boolean {
  return low !== null && low === high;
}

function noise(a: Quantity, b: Quantity): number {
  return NOISE * Math.max(Math.abs(a.low ?? 0), Math.abs(a.high ?? 0), Math.abs(b.low ?? 0), Math.abs(b.high ?? 0));
}
