/** Dates by what the calendar is cut into: seasons, quarters, decades. */
import { SEASONS } from '../lexicon/months.ts';
import { monthStretch, type ReadDate, type Stretch, yearStretch } from './calendar.ts';
import { ordinalAt } from './ordinals.ts';
import type { Token } from './tokens.ts';
import { isYearForm } from './years.ts';

const BEFORE_SHORT_DECADES = new Set(['the', 'early', 'mid', 'late', '-']);

/** For a word, a code or a number. */
export function eraAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  if (token.kind === 'number')
    return decadeAt(tokens, at, token) ?? yearFirstAt(tokens, at, token) ?? partOfYearAt(tokens, at);
  return (token.kind === 'word' ? seasonAt(tokens, at, token) : null) ?? partOfYearAt(tokens, at);
}

function read(stretch: Stretch, next: number): ReadDate {
  return { ...stretch, next, yearless: false, isPeriod: false };
}

/** 'spring 2020', 'the summer of 2020' */
function seasonAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  const season = SEASONS.get(token.lower);
  if (!season) return null;
  const index = tokens[at + 1]?.lower === 'of' ? at + 2 : at + 1;
  const year = tokens[index];
  return isYearForm(year) ? read(monthStretch(year.value, season[0], season[1]), index + 1) : null;
}

/** '1990s', and 'the 90s'. */
function decadeAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  let next = at + 1;
  if ("'’".includes(tokens[next]?.text ?? ' ') && tokens[next]?.glued) next++;
  const ending = tokens[next];
  if (ending?.lower !== 's' || !ending.glued || token.value % 10 !== 0 || token.dressed) return null;
  if (isYearForm(token))
    return read(
      token.value % 100 === 0 ? yearStretch(token.value, token.value + 99) : yearStretch(token.value, token.value + 9),
      next + 1,
    );
  const isShort = token.text.length === 2 && token.value >= 20 && BEFORE_SHORT_DECADES.has(tokens[at - 1]?.lower ?? '');
  return isShort ? read(yearStretch(1900 + token.value, 1909 + token.value), next + 1) : null;
}

/** 'Q3 2021', 'H1 2021', 'the third quarter of 2021', 'FY2021' */
function partOfYearAt(tokens: Token[], at: number): ReadDate | null {
  const token = tokens[at] as Token;
  const fiscal = token.kind === 'code' ? /^FY(\d{4})$/.exec(token.text) : null;
  // Where a fiscal year begins is for each firm to say.
  if (fiscal) return read(monthStretch(Number(fiscal[1]), -5, 18), at + 1);
  const code = token.kind === 'code' ? /^([QH])([1-4])$/.exec(token.text) : null;
  const ordinal = code ? null : ordinalAt(tokens, at);
  const noun = ordinal ? tokens[ordinal.next]?.lower : undefined;
  const months = code ? (code[1] === 'Q' ? 3 : 6) : noun === 'quarter' ? 3 : noun === 'half' ? 6 : 0;
  const index = code ? Number(code[2]) : (ordinal?.value ?? 0);
  if (months === 0 || index < 1 || index * months > 12) return null;
  const next = code ? at + 1 : (ordinal?.next ?? at) + 1;
  const yearIndex = ['of', ',', '-', '/', 'in'].includes(tokens[next]?.lower ?? '') ? next + 1 : next;
  const year = tokens[yearIndex];
  if (!isYearForm(year)) return null;
  return read(monthStretch(year.value, (index - 1) * months + 1, index * months), yearIndex + 1);
}

/** '2024-Q3', '2024/H1', '2024 Q3' */
function yearFirstAt(tokens: Token[], at: number, token: Token): ReadDate | null {
  if (!isYearForm(token)) return null;
  const next = ['-', '/'].includes(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
  const code = /^([QH])([1-4])$/.exec(tokens[next]?.text ?? '');
  const [months, index] = [code?.[1] === 'Q' ? 3 : 6, Number(code?.[2])];
  if (!code || index * months > 12) return null;
  return read(monthStretch(token.value, (index - 1) * months + 1, index * months), next + 1);
}
