/** Compares dates of any precision: a day within a month, a month without a year, 'about 1850'. */
import { DAYS_PER_YEAR, moveYear, NO_YEAR, yearOf } from './calendar.ts';
import { haveSameKey } from './normal.ts';
import { type Comparison, type Quantity, YEARLESS } from './value.ts';

/** 'About 1850' may be so many years off. */
const YEARS_ABOUT = 5;
const MAX_MONTH = 31;

export function compareDates(a: Quantity, b: Quantity): Comparison {
  if (a.unit === b.unit) {
    if (haveSameKey(a, b)) return 'equal';
    return overlap(a, b) ? 'compatible' : 'incompatible';
  }
  const first = withoutYear(a);
  const second = withoutYear(b);
  if (!first || !second) return 'incomparable';
  return overlap(first, second) ? 'compatible' : 'incompatible';
}

function overlap(a: Quantity, b: Quantity): boolean {
  const low = Math.max(a.low ?? Number.NEGATIVE_INFINITY, b.low ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(a.high ?? Number.POSITIVE_INFINITY, b.high ?? Number.POSITIVE_INFINITY);
  return low - high <= Math.max(slackOf(a), slackOf(b));
}

function slackOf({ approximate, precision }: Quantity): number {
  if (!approximate) return 0;
  const isYear = precision > 364 && precision < 367;
  return isYear ? YEARS_ABOUT * DAYS_PER_YEAR : Math.min(precision, DAYS_PER_YEAR);
}

/** Null where the date does not say which part of a year. */
function withoutYear(date: Quantity): Quantity | null {
  if (date.unit === YEARLESS) return date;
  if (date.low === null || date.high === null || date.high - date.low >= MAX_MONTH) return null;
  if (yearOf(date.low) !== yearOf(date.high)) return null;
  return { ...date, unit: YEARLESS, low: moveYear(date.low, NO_YEAR), high: moveYear(date.high, NO_YEAR) };
}
