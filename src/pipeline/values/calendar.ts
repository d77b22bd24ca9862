/** Days counted from 1970, and the stretches of them that years, months and centuries are. */

/** Days, both ends included. */
export interface Stretch {
  low: number;
  high: number;
}

/** A stretch that tokens say. */
export interface ReadDate extends Stretch {
  next: number;
  /** Month and day, or a month alone: they come back every year. */
  yearless: boolean;
  /** From one date to another: '1998–2004'. */
  isPeriod: boolean;
}

export const DAYS_PER_YEAR = 365.2425;
const DAY_MS = 86_400_000;
/** Month and day without a year lie in this one, a leap year. */
export const NO_YEAR = 2000;

/** In the calendar of today, carried back before it was made. */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719468;
}

export function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

export function dayStretch(year: number, month: number, day: number): Stretch {
  const at = dayNumber(year, month, day);
  return { low: at, high: at };
}

/** Months below 1 and above 12 are those of the years beside it. */
export function monthStretch(year: number, first: number, last = first): Stretch {
  return { low: firstOfMonth(year, first), high: firstOfMonth(year, last + 1) - 1 };
}

export function yearStretch(first: number, last = first): Stretch {
  return { low: dayNumber(first, 1, 1), high: dayNumber(last + 1, 1, 1) - 1 };
}

/** Twelfths of a stretch. */
export function partOf({ low, high }: Stretch, from: number, to: number): Stretch {
  const days = high - low + 1;
  return { low: low + Math.floor((days * from) / 12), high: low + Math.ceil((days * to) / 12) - 1 };
}

/** The same month and day in another year. */
export function moveYear(day: number, year: number): number {
  const { month, date } = monthAndDay(day);
  return dayNumber(year, month, Math.min(date, daysIn(year, month)));
}

export function yearOf(day: number): number {
  let year = Math.floor(1970 + day / DAYS_PER_YEAR);
  while (dayNumber(year + 1, 1, 1) <= day) year++;
  while (dayNumber(year, 1, 1) > day) year--;
  return year;
}

export function monthAndDay(day: number): { month: number; date: number } {
  const year = yearOf(day);
  let month = 12;
  while (dayNumber(year, month, 1) > day) month--;
  return { month, date: day - dayNumber(year, month, 1) + 1 };
}

function daysIn(year: number, month: number): number {
  return firstOfMonth(year, month + 1) - dayNumber(year, month, 1);
}

function firstOfMonth(year: number, month: number): number {
  const index = month - 1;
  return dayNumber(year + Math.floor(index / 12), (((index % 12) + 12) % 12) + 1, 1);
}

/** The first and the last year of a period of years, the first and the last month of one of months, else the days. */
export function endsOf({ low, high }: Stretch): { first: Stretch; last: Stretch } {
  const [from, to] = [new Date(low * DAY_MS), new Date((high + 1) * DAY_MS)];
  if (from.getUTCDate() !== 1 || to.getUTCDate() !== 1) return { first: { low, high: low }, last: { low: high, high } };
  const [first, last] = [from.getUTCFullYear(), new Date(high * DAY_MS).getUTCFullYear()];
  if (from.getUTCMonth() === 0 && to.getUTCMonth() === 0) return { first: yearStretch(first), last: yearStretch(last) };
  const before = to.getUTCMonth() || 12;
  return { first: monthStretch(first, from.getUTCMonth() + 1), last: monthStretch(last, before) };
}
