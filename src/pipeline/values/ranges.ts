/** Joins two amounts into one stretch: '5–7', '5 to 7 million', 'between 5 and 7', 'two or three'. */
import { type Amount, amountAt, inBaseUnit } from './amounts.ts';
import type { Token } from './tokens.ts';

export interface Range {
  low: Amount;
  high: Amount;
}

/** 'two or three' is a guess, '5 or 500' a choice. */
const MAX_GUESS = 5;

/** Null if no second amount belongs to the first; 'score' for results such as '3-1', which measure nothing. */
export function rangeFrom(tokens: Token[], first: Amount): Range | 'score' | null {
  const joint = tokens[first.next];
  if (!joint) return null;
  const isDash = joint.text === '-' || joint.text === '–' || joint.text === '‑';
  const isBetween = joint.lower === 'and' && followsBetween(tokens, first.first);
  if (!isDash && joint.lower !== 'to' && joint.lower !== 'or' && !isBetween) return null;
  const second = tokens[first.next + 1];
  if (isDash && (second?.kind === 'word' || (joint.text === '-' && joint.glued !== second?.glued))) return null;
  const last = amountAt(tokens, first.next + 1);
  if (!last) return null;
  const range = align(first, last);
  if (!range) return null;
  const difference = inBaseUnit(range.high) - inBaseUnit(range.low);
  if (joint.lower === 'or')
    return difference > 0 && difference <= MAX_GUESS && !range.low.unit === !range.high.unit ? range : null;
  if (difference > 0) return isDash && isScore(tokens, first, last) ? 'score' : range;
  if (isBetween) return { low: range.high, high: range.low };
  return (isDash && joint.glued) || (joint.lower === 'to' && !first.unit && !last.unit) ? 'score' : null;
}

/** 'between 6 and 15', 'between the ages of 6 and 15' */
function followsBetween(tokens: Token[], at: number): boolean {
  if (tokens[at - 1]?.lower === 'between') return true;
  return tokens[at - 1]?.lower === 'of' && tokens[at - 2]?.lower === 'ages' && tokens[at - 4]?.lower === 'between';
}

/** Gives the first the unit and the magnitude of the last, as in '5 to 7 million dollars'. */
function align(first: Amount, last: Amount): Range | null {
  let low = first;
  let high = last;
  if (!low.unit && high.unit) low = { ...low, unit: high.unit };
  else if (low.unit?.dimension === 'money' && !high.unit) high = { ...high, unit: low.unit };
  else if (low.unit && !high.unit) return null;
  if (low.unit && high.unit && (low.unit.dimension !== high.unit.dimension || low.unit.name !== high.unit.name))
    return null;
  const scale = scaleOf(high);
  if (!low.scaled && low.value < scale && low.value * scale < high.value)
    low = { ...low, value: low.value * scale, precision: low.precision * scale, scaled: true };
  return { low, high };
}

/** What the magnitude of '7 million' or 'three hundred' multiplies by; 1 without one. */
function scaleOf({ value, scaled, inWords }: Amount): number {
  if (scaled) return 10 ** (3 * Math.floor(Math.log10(Math.abs(value) || 1) / 3));
  return inWords && value >= 100 && value % 100 === 0 ? 100 : 1;
}

const SCORE_WORDS = new Set(
  'win wins won victory defeat loss lost draw drew lead led record score beat beats beating defeated triumph rout thrashing vote'.split(
    ' ',
  ),
);

function isScore(tokens: Token[], first: Amount, last: Amount): boolean {
  if (last.unit || last.scaled) return false;
  const before = tokens[first.first - 1];
  const after = tokens[last.next];
  if (
    SCORE_WORDS.has(after?.lower ?? '') ||
    SCORE_WORDS.has(before?.lower ?? '') ||
    SCORE_WORDS.has(tokens[first.first - 2]?.lower ?? '')
  )
    return true;
  // Sets of a match: '2-6 6-2 6-3'.
  const pair = tokens[last.next + (after?.text === ',' ? 2 : 1)];
  return after?.kind === 'number' && pair?.text === '-';
}
