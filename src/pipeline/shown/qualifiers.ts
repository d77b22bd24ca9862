/** What a claim is limited to, without the marks that values have where claims are compared. */
import type { ClaimQualifiers } from '../../contract/claims.ts';
import type { Qualifiers } from '../claim.ts';
import { MONTH_NAMES } from '../lexicon/months.ts';
import { cut } from '../storable.ts';
import { shownDate } from './dates.ts';

export function shownQualifiers({ time, place, condition, subset }: Qualifiers): ClaimQualifiers {
  return {
    time: shown(shownTime(time)),
    place: shown(place),
    condition: shown(unmarked(condition)),
    subset: shown(subset),
  };
}

/** Of words as long as a text can have them, which is not what a claim is limited to. */
const QUALIFIER_SHOWN = 200;
const shown = (text: string) => cut(text, QUALIFIER_SHOWN) || null;

/** Year, month and day as terms: '=2026 =mar =mar12', or some of them. */
const DATE = /^(?:=(\d{4})(?: |$))?(?:=([a-z]{3})(?: =\2(\d{1,2}))?)?$/;
/** Days from one to another, as of a quarter. */
const STRETCH = /(?:^| )=(-?\d{1,15})\.\.(-?\d{1,15})(?: |$)/;
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));

function shownTime(time: string): string {
  const [, low, high] = STRETCH.exec(time) ?? [];
  if (low !== undefined) return shownDate({ low: Number(low), high: Number(high), unit: '' });
  const [, year, name = '', day] = DATE.exec(time) ?? [];
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, '0');
  if (month === '00') return name === '' && year !== undefined ? year : unmarked(time);
  return `${year ?? '-'}-${month}${day === undefined ? '' : `-${day.padStart(2, '0')}`}`;
}

const unmarked = (terms: string) => terms.replaceAll(/(^| )=~?/g, '$1');
