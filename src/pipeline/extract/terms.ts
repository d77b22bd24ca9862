/** Turns the words of a clause into terms: stems in their order, with values brought to one form. */

import { MONTH_NAMES, MONTHS } from '../lexicon/months.ts';
import { anyOf, classWhere, isOf, stemClass } from '../lexicon/word-class.ts';
import { asFigure, asName, asSubject, asWord, PLACE, type Term } from '../term.ts';
import type { Quantity } from '../values/value.ts';
import type { Figure, Token } from './tokens.ts';

/** A clause that says one thing has fewer. */
export const MAX_TERMS = 40;
const DAY_MS = 86_400_000;

/** The figure `own` is the value of the claim, and only its place is told. */
export function termsOf(tokens: Token[], verb: number, own: Figure | null): Term[] {
  const terms: Term[] = [];
  let inside: Figure | null = null;
  for (let index = 0; index < tokens.length && terms.length < MAX_TERMS; index++) {
    const token = tokens[index] as Token;
    const { quantity } = token;
    if (quantity) {
      if (quantity === own) {
        if (inside !== own) terms.push(PLACE);
      } else if (quantity !== inside) for (const term of quantity.terms) terms.push(bounded(term, tokens, index));
      inside = quantity;
      continue;
    }
    inside = null;
    if (token.kind === 'number' && !token.isName) terms.push(partDate(tokens, index));
    else if (token.isName) terms.push(index < verb ? asSubject(token.stem) : asName(token.stem));
    else if (token.isCapital && MONTHS.has(token.lower)) terms.push(asFigure(token.lower.slice(0, 3)));
    else if (token.isContent && !isOf(token, WEAK)) terms.push(asWord(token.stem));
  }
  return terms;
}

/** Such words say how something is seen or put, and another text may leave them out. */
const WEAK = anyOf(
  stemClass(`considered known called regarded used referred described deemed named become became served included contains seem
remain refuse lack unable total amounts`),
  classWhere(({ lower }) => lower.endsWith('ly') && lower.length > 5),
);

/** '1st February' and 'February 1' without a year. */
function partDate(tokens: Token[], index: number): Term {
  const { lower } = tokens[index] as Token;
  for (const at of [index - 1, index + 1, index + 2]) {
    const near = tokens[at];
    if (near?.isCapital && MONTHS.has(near.lower))
      return asFigure(`${near.lower.slice(0, 3)}${/^\d*/.exec(lower)?.[0]}`);
  }
  return bounded(asFigure(lower), tokens, index);
}

/** With the sign of a bound that is not part of the value itself, as before an ordinal. */
function bounded(figure: Term, tokens: Token[], index: number): Term {
  if (tokens[index - 1]?.lower !== 'than' || /[<>]/.test(figure.word)) return figure;
  const word = tokens[index - 2]?.lower ?? '';
  const sign = /^(?:more|greater|higher|better)$/.test(word) ? '>' : /^(?:less|fewer|lower)$/.test(word) ? '<' : '';
  return sign === '' ? figure : asFigure(figure.word.replace(/^([a-z]*)(\d)/, `$1${sign}$2`));
}

/** Bounds keep their sign, so that 'more than 300' is not 300. */
export const valueTerms = (value: Quantity): Term[] => figuresOf(value).map(asFigure);

function figuresOf(value: Quantity): string[] {
  const { dimension, unit, low, high } = value;
  if (dimension === 'date' && low !== null && high !== null) return datesOf(low, high, unit !== '');
  const kind = `${dimension === 'count' ? '' : dimension}${unit}`;
  if (low === high) return [`${kind}${rounded(low)}`];
  if (low === null) return [`${kind}<${rounded(high)}`];
  if (high === null) return [`${kind}>${rounded(low)}`];
  return [`${kind}${rounded(low)}..${rounded(high)}`];
}

/** The same figure in other units differs in the last digits. */
function rounded(value: number | null): string {
  if (value === null) return '';
  if (Number.isInteger(value) && Math.abs(value) < 10_000) return `${value}`;
  return String(Number(value.toPrecision(4)));
}

/** Year, month and day each by itself, so that a coarser date is part of a finer one. */
function datesOf(low: number, high: number, isYearless: boolean): string[] {
  const days = high - low;
  const first = new Date(low * DAY_MS);
  if (Number.isNaN(first.getTime())) return [`${low}..${high}`];
  const year = `${first.getUTCFullYear()}`;
  const month = `${MONTH_NAMES[first.getUTCMonth()]?.slice(0, 3)}`;
  if (isYearless) return days < 2 ? [month, `${month}${first.getUTCDate()}`] : [month];
  if (days < 2) return [year, month, `${month}${first.getUTCDate()}`];
  if (days < 32) return [year, month];
  // A quarter, a half or a season.
  if (days < 360) return [year, `${low}..${high}`];
  if (days < 367) return [year];
  return [year, `${new Date(high * DAY_MS).getUTCFullYear()}`];
}
