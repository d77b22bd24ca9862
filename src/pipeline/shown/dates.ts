/** Dates, periods and times of day in the form of ISO 8601. */
import { endsOf, monthAndDay, type Stretch, yearOf } from '../values/calendar.ts';
import { type Quantity, YEARLESS } from '../values/value.ts';

type Ends = Pick<Quantity, 'low' | 'high'>;

/** A day, a month, a year, or a period from one to another; '..' is an end that nothing bounds. */
export function shownDate({ low, high, unit }: Ends & Pick<Quantity, 'unit'>): string {
  const show = unit === YEARLESS ? yearless : coarsest;
  if (low === null || high === null)
    return period(low === null ? null : show({ low, high: low }), high === null ? null : show({ low: high, high }));
  const { first, last } = endsOf({ low, high });
  return period(show(first), show(last));
}

/** Of minutes since midnight. */
export function shownClock({ low, high }: Ends): string {
  const show = (minutes: number | null) =>
    minutes === null ? null : `${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`;
  return period(show(low), show(high));
}

const period = (from: string | null, to: string | null) =>
  from === to ? (from ?? '..') : `${from ?? '..'}/${to ?? '..'}`;

function coarsest({ low, high }: Stretch): string {
  const year = shownYear(yearOf(low));
  if (low === high) return `${year}-${dayOf(low)}`;
  return isMonth({ low, high }) ? `${year}-${padded(monthAndDay(low).month, 2)}` : year;
}

/** They come back every year, so that a whole year of them tells nothing. */
function yearless({ low, high }: Stretch): string {
  return low === high ? `--${dayOf(low)}` : `--${padded(monthAndDay(low).month, 2)}`;
}

const MOST_DAYS_OF_MONTH = 31;
const isMonth = ({ low, high }: Stretch) => high - low < MOST_DAYS_OF_MONTH;

function dayOf(day: number): string {
  const { month, date } = monthAndDay(day);
  return `${padded(month, 2)}-${padded(date, 2)}`;
}

/** The year before the year 1 is 0000. Those of more than four digits have a sign. */
function shownYear(year: number): string {
  const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
  return `${sign}${padded(Math.abs(year), 4)}`;
}

const padded = (number: number, digits: number) => String(Math.floor(number)).padStart(digits, '0');
