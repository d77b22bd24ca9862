/** Reads a date at a token, at the precision that it is given with. */
import { MONTH_NUMBERS } from '../lexicon/months.ts';
import { dayStretch, isDay, monthStretch, NO_YEAR, type ReadDate, yearStretch } from './calendar.ts';
import { eraAt } from './eras.ts';
import { numericDateAt } from './numeric-dates.ts';
import { ordinalAt } from './ordinals.ts';
import { startsUpper, type Token } from './tokens.ts';
import { isYear, isYearForm } from './years.ts';

/** A month by itself needs one of these before it: 'in May' is one, 'May Smith' is not. */
const BEFORE_MONTHS = new Set(
  'in on since by until till during of last early mid late from to through before after between and'.split(' '),
);

/** Between the first and the last of a period. */
export const JOINTS = new Set(['to', 'until', 'till', 'through', 'and', '–', '-', '—', 'or']);
const BEFORE_CHRIST = new Set(['bc', 'bce']);

/** Null for one before Christ: these are not read, and least of all as years of ours. */
export function dateAt(tokens: Token[], at: number): ReadDate | null {
  const date = datedAt(tokens, at);
  return date && isBeforeChrist(tokens, date.next) ? null : date;
}

/** '1200 BC', and the first year of '1250–1200 BCE' */
function isBeforeChrist(tokens: Token[], next: number): boolean {
  const isFirst = JOINTS.has(tokens[next]?.lower ?? '') && isYearForm(tokens[next + 1]);
  const era = tokens[isFirst ? next + 2 : next];
  return era?.kind === 'word' && BEFORE_CHRIST.has(era.lower) && /^[A-Z]/.test(era.text);
}

function datedAt(tokens: Token[], at: number): ReadDate | null {
  const token = tokens[at];
  if (!token || token.kind === 'mark') return null;
  if (token.kind === 'word')
    return monthFirstAt(tokens, at, token) ?? dayFirstAt(tokens, at) ?? eraAt(tokens, at, token);
  const numeric = numericDateAt(tokens, at);
  if (numeric) return numeric;
  if (token.kind === 'code') return eraAt(tokens, at, token);
  return dayFirstAt(tokens, at) ?? eraAt(tokens, at, token) ?? yearAt(tokens, at, token);
}

/** '21 August 1968', 'the 21st of August', '5–7 May 2021' */
function dayFirstAt(tokens: Token[], at: number): ReadDate | null {
  const day = dayAt(tokens, at);
  if (!day) return null;
  const last = joinsDays(tokens, at, day.next) ? dayAt(tokens, day.next + 1) : null;
  const next = (last ?? day).next;
  const index = tokens[next]?.lower === 'of' ? next + 1 : next;
  const month = monthOf(tokens[index]);
  return month === 0 ? null : withYear(tokens, index + 1, month, day.value, (last ?? day).value);
}

/** 'August 21st, 1968', 'August 21', 'August 1968', 'in August' */
function monthFirstAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  const month = monthOf(token);
  if (month === 0) return null;
  const day = dayAt(tokens, at + 1);
  if (day) {
    const last = '-–'.includes(tokens[day.next]?.text ?? ' ') ? dayAt(tokens, day.next + 1) : null;
    const date = withYear(tokens, (last ?? day).next, month, day.value, (last ?? day).value);
    if (date) return date;
  }
  const after = tokens[at + 1];
  const yearIndex = after?.text === ',' || after?.lower === 'of' ? at + 2 : at + 1;
  const year = tokens[yearIndex];
  if (isYearForm(year) && !tokens[yearIndex + 1]?.text.startsWith('%'))
    return { ...monthStretch(year.value, month), next: yearIndex + 1, yearless: false, isPeriod: false };
  if (after?.kind === 'number' && !after.dressed) return null;
  if (!BEFORE_MONTHS.has(tokens[at - 1]?.lower ?? '') || startsUpper(after)) return null;
  return { ...monthStretch(NO_YEAR, month), next: at + 1, yearless: true, isPeriod: false };
}

function withYear(tokens: Token[], at: number, month: number, day: number, last: number): ReadDate | null {
  const index = tokens[at]?.text === ',' || tokens[at]?.lower === 'of' ? at + 1 : at;
  const token = tokens[index];
  const hasYear = isYearForm(token);
  const year = hasYear ? token.value : NO_YEAR;
  if (!isDay(year, month, day) || !isDay(year, month, last) || last < day) return null;
  const stretch = { low: dayStretch(year, month, day).low, high: dayStretch(year, month, last).high };
  return { ...stretch, next: hasYear ? index + 1 : at, yearless: !hasYear, isPeriod: last > day };
}

/** '5–7 May', 'between 5 and 7 May' */
function joinsDays(tokens: Token[], at: number, next: number): boolean {
  const joint = tokens[next]?.lower ?? ' ';
  if ('-–'.includes(joint) || joint === 'to') return true;
  return joint === 'and' && tokens[at - 1]?.lower === 'between';
}

function dayAt(tokens: Token[], at: number): { value: number; next: number } | null {
  const token = tokens[at];
  const ordinal = ordinalAt(tokens, at);
  if (ordinal) return ordinal.value <= 31 ? ordinal : null;
  if (token?.kind !== 'number' || token.dressed || token.text.length > 2 || token.value < 1 || token.value > 31)
    return null;
  const after = tokens[at + 1];
  const continues = after?.glued && (after.kind !== 'mark' || ':%/$°+'.includes(after.text));
  return continues ? null : { value: token.value, next: at + 1 };
}

function monthOf(token: Token | undefined): number {
  if (token?.kind !== 'word' || !/^[A-Z]/.test(token.text)) return 0;
  return MONTH_NUMBERS.get(token.lower) ?? 0;
}

function yearAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  if (!isYear(tokens, at)) return null;
  return { ...yearStretch(token.value), next: at + 1, yearless: false, isPeriod: false };
}
