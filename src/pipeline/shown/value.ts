/** The value of a claim as it is shown to whoever reads claims and facts. Pure. */
import type { ClaimValue } from '../../contract/claims.ts';
import type { Claim } from '../claim.ts';
import { normalise } from '../values/normal.ts';
import type { Quantity } from '../values/value.ts';
import { shownClock, shownDate } from './dates.ts';
import { currencyOf, unitOf } from './units.ts';

export function shownValue(claim: Claim): ClaimValue {
  const { shown, polarity } = claim;
  if (claim.kind === 'quantity') return shownQuantity(normalise(claim.value), shown);
  // What a statement says as a whole is its attribute, and whether it is so its value.
  if (claim.kind === 'statement') return { type: 'boolean', text: polarity ? 'yes' : 'no', boolean: polarity };
  const truth = TRUTHS.get(shown.toLowerCase());
  return truth === undefined ? { type: 'text', text: shown } : { type: 'boolean', text: shown, boolean: truth };
}

const TRUTHS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

function shownQuantity(quantity: Quantity, text: string): ClaimValue {
  const { dimension } = quantity;
  const approximate = quantity.approximate ? { approximate: true } : {};
  if (dimension === 'date') return { type: 'date', text, date: shownDate(quantity), ...approximate };
  if (dimension === 'clock') return { type: 'time', text, time: shownClock(quantity), ...approximate };
  const unit = unitOf(quantity);
  const parts = { ...endsOf(quantity), ...(unit ? { unit } : {}) };
  if (dimension !== 'money') return { type: 'number', text, ...parts, ...approximate };
  return { type: 'money', text, ...parts, currency: currencyOf(quantity), ...approximate };
}

function endsOf({ low, high }: Quantity): Pick<ClaimValue, 'number' | 'low' | 'high'> {
  if (low !== null && low === high) return { number: rounded(low) };
  return { ...(low === null ? {} : { low: rounded(low) }), ...(high === null ? {} : { high: rounded(high) }) };
}

/** Conversion leaves noise in the last digits of what is not whole: 0.1 + 0.2 is 0.3. */
const SIGNIFICANT_DIGITS = 12;
const rounded = (end: number) => (Number.isInteger(end) ? end : Number(end.toPrecision(SIGNIFICANT_DIGITS)));
