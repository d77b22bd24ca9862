/** Dates in digits alone: '1968-08-21', '21/08/1968', '21.08.1968', '1998–2004', '2020/21'. */
import { dayNumber, isDay, type ReadDate, yearStretch } from './calendar.ts';
import type { Token } from './tokens.ts';
import { isYearForm } from './years.ts';

export function numericDateAt(tokens: Token[], at: number): ReadDate | null {
  const token = tokens[at] as Token;
  if (token.kind === 'code') {
    const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(token.text);
    return dotted && dayAndMonth(Number(dotted[1]), Number(dotted[2]), Number(dotted[3]), at + 1);
  }
  const joint = tokens[at + 1];
  const second = tokens[at + 2];
  if (token.dressed || !joint?.glued || second?.kind !== 'number' || !second.glued || second.dressed)
    return yearsApart(tokens, at);
  const third = tokens[at + 4];
  const isTriple =
    tokens[at + 3]?.glued && tokens[at + 3]?.text === joint.text && third?.kind === 'number' && third.glued;
  if (!isTriple || !third || third.dressed || !'-/'.includes(joint.text)) return yearSpan(tokens, at);
  // A time of day may be glued to it: 1968-08-21T10:00.
  if (isYearForm(token) && second.text.length <= 2 && third.text.length <= 2)
    return isoDate(tokens, at, token.value, second.value, third.value);
  return joint.text === '/' && isYearForm(third) ? dayAndMonth(token.value, second.value, third.value, at + 5) : null;
}

function isoDate(tokens: Token[], at: number, year: number, month: number, day: number): ReadDate | null {
  if (!isDay(year, month, day)) return null;
  const low = dayNumber(year, month, day);
  let next = at + 5;
  while (next < at + 16 && tokens[next]?.glued && isTimePart(tokens, next)) next++;
  return { low, high: low, next, yearless: false, isPeriod: false };
}

/** Of 'T10:00:00+01:00'. */
function isTimePart(tokens: Token[], at: number): boolean {
  const token = tokens[at] as Token;
  if (token.kind !== 'mark') return true;
  return ':+-'.includes(token.text) && tokens[at + 1]?.glued === true && tokens[at + 1]?.kind === 'number';
}

/** Where either may be the month, the stretch from the one reading to the other. */
function dayAndMonth(first: number, second: number, year: number, next: number): ReadDate | null {
  if (year < 1000 || year > 2099) return null;
  const days = [
    isDay(year, second, first) ? dayNumber(year, second, first) : null,
    isDay(year, first, second) ? dayNumber(year, first, second) : null,
  ].filter((day) => day !== null);
  if (days.length === 0) return null;
  const low = Math.min(...days);
  const high = Math.max(...days);
  return { low, high, next, yearless: false, isPeriod: false };
}

/** '1998–2004', '1998-99', '2020/21' */
function yearSpan(tokens: Token[], at: number): ReadDate | null {
  const first = tokens[at];
  const joint = tokens[at + 1];
  const second = tokens[at + 2];
  if (!isYearForm(first) || !joint || !second || first.value < 1500 || !'-–—/'.includes(joint.text)) return null;
  const after = tokens[at + 3];
  if (after?.glued && (after.kind !== 'mark' || '-/%'.includes(after.text))) return null;
  const last =
    second.text.length === 2
      ? Math.floor(first.value / 100) * 100 + second.value
      : isYearForm(second)
        ? second.value
        : Number.NaN;
  if (!(last > first.value)) return null;
  return { ...yearStretch(first.value, last), next: at + 3, yearless: false, isPeriod: true };
}

/** '1998 – 2004' with blanks, as Wikipedia writes lives. */
function yearsApart(tokens: Token[], at: number): ReadDate | null {
  const first = tokens[at];
  const second = tokens[at + 2];
  if (!isYearForm(first) || !isYearForm(second) || !'–—-'.includes(tokens[at + 1]?.text ?? ' ')) return null;
  // Before 1500 only brackets tell years from other numbers.
  if ((first.value < 1500 && tokens[at - 1]?.text !== '(') || second.value <= first.value) return null;
  if (tokens[at + 3]?.kind === 'word') return null;
  return { ...yearStretch(first.value, second.value), next: at + 3, yearless: false, isPeriod: true };
}
