/** A date with what stands around it: 'early 2021', 'before June 2008', 'from 1998 to 2004', 'about 1850'. */
import { STAGES } from '../lexicon/months.ts';
import { DAYS_PER_YEAR, moveYear, partOf, type ReadDate, yearOf, yearStretch } from './calendar.ts';
import { dateAt, JOINTS } from './dates.ts';
import { DATE_PREFIXES } from './modifiers.ts';
import type { Token } from './tokens.ts';
import { unitAt } from './unit-reader.ts';
import { type Quantity, stretchOf, YEARLESS } from './value.ts';
import { isYearForm } from './years.ts';

export interface DatePhrase {
  value: Quantity;
  first: number;
  next: number;
  /** Whether the stretch is a period from one date to another. */
  isPeriod: boolean;
}

export function datePhraseAt(tokens: Token[], at: number, floor: number): DatePhrase | null {
  const date = dateAt(tokens, at);
  if (!date) return null;
  const staged = withStage(tokens, at, floor, date);
  const period = periodFrom(tokens, staged.first, date);
  if (period) return period;
  return withSuffix(tokens, withPrefix(tokens, staged.first, floor, staged.date));
}

/** 'early 2021', 'mid-1990s', 'the end of May' */
function withStage(tokens: Token[], at: number, floor: number, date: ReadDate): { date: ReadDate; first: number } {
  const last = tokens[at - 1]?.lower;
  const back = last === '-' && tokens[at - 1]?.glued ? at - 1 : last === 'the' ? at - 1 : at;
  if (back <= floor) return { date, first: at };
  let phrase = '';
  for (let begin = back - 1; begin >= back - 3; begin--) {
    const word = tokens[begin]?.lower;
    if (begin === back - 1 && !LAST_OF_STAGES.has(word ?? '')) break;
    phrase = phrase === '' ? `${word}` : `${word} ${phrase}`;
    const stage = STAGES.get(phrase);
    const first = tokens[begin - 1]?.lower === 'the' && begin > floor ? begin - 1 : begin;
    if (stage && first >= floor) return { date: { ...date, ...partOf(date, stage[0], stage[1]) }, first };
  }
  return { date, first: at };
}

/** Most words end none of the phrases, which saves putting them together. */
const LAST_OF_STAGES = lastWords(STAGES.keys());
const LAST_OF_PREFIXES = lastWords(DATE_PREFIXES.keys());

function lastWords(phrases: Iterable<string>): Set<string> {
  return new Set([...phrases].map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1)));
}

function periodFrom(tokens: Token[], first: number, date: ReadDate): DatePhrase | null {
  const before = tokens[first - 1]?.lower;
  const joint = tokens[date.next]?.lower ?? '';
  if (!JOINTS.has(joint) || (joint === 'and' && before !== 'between') || (joint === '-' && !tokens[date.next]?.glued))
    return null;
  // 'rose in 2019 to 2,310' and 'in 2019 or 2020'
  const last = dateAt(tokens, date.next + 1) ?? lastYearAt(tokens, date.next + 1);
  if (!last) return null;
  const from = date.yearless && !last.yearless ? moveYear(date.low, yearOf(last.low)) : date.low;
  if (last.yearless && !date.yearless) return null;
  if (last.high < from) return null;
  const isOpened = before === 'between' || before === 'from';
  const whole = { ...last, low: from };
  return { value: quantity(whole), first: isOpened ? first - 1 : first, next: last.next, isPeriod: true };
}

/** After another date and a joint, four digits are a year. */
function lastYearAt(tokens: Token[], at: number): ReadDate | null {
  const token = tokens[at];
  if (!isYearForm(token) || unitAt(tokens, at + 1, false, 2) || tokens[at + 1]?.text === ',') return null;
  return { ...yearStretch(token.value), next: at + 1, yearless: false, isPeriod: false };
}

function withPrefix(tokens: Token[], first: number, floor: number, date: ReadDate): DatePhrase {
  const value = quantity(date);
  const plain = { value, first, next: date.next, isPeriod: date.isPeriod };
  if (!LAST_OF_PREFIXES.has(tokens[first - 1]?.lower ?? '')) return plain;
  for (let size = Math.min(4, first - floor); size > 0; size--) {
    let phrase = '';
    for (let at = first - size; at < first; at++) phrase += `${phrase && ' '}${tokens[at]?.lower}`;
    const modifier = DATE_PREFIXES.get(phrase);
    if (!modifier) continue;
    const moved = { ...plain, first: first - size };
    if (modifier.approximate) return { ...moved, value: { ...value, approximate: true } };
    // Without a year nothing says which of two days comes first.
    if (date.yearless) return plain;
    if (modifier.side === 'before') return { ...moved, value: { ...value, low: null, high: date.low - 1 } };
    if (modifier.side === 'after') return { ...moved, value: { ...value, low: date.high + 1, high: null } };
    if (modifier.side === 'from') return { ...moved, value: { ...value, high: null } };
    return { ...moved, value: { ...value, low: null } };
  }
  return plain;
}

/** '1969 or earlier', 'in 1969 or before 1969' */
function withSuffix(tokens: Token[], phrase: DatePhrase): DatePhrase {
  const side = tokens[phrase.next]?.lower === 'or' ? (tokens[phrase.next + 1]?.lower ?? '') : '';
  const isEarlier = side === 'earlier' || side === 'before';
  if (!isEarlier && side !== 'later' && side !== 'after') return phrase;
  const again = dateAt(tokens, phrase.next + 2);
  const isSame = again?.low === phrase.value.low && again?.high === phrase.value.high;
  if (again && !isSame) return phrase;
  const value = isEarlier ? { ...phrase.value, low: null } : { ...phrase.value, high: null };
  return { ...phrase, value, next: again?.next ?? phrase.next + 2 };
}

function quantity({ low, high, yearless }: ReadDate): Quantity {
  const precision = Math.min(high - low + 1, Math.ceil(DAYS_PER_YEAR * 100));
  return stretchOf('date', yearless ? YEARLESS : '', [low, high], precision);
}
