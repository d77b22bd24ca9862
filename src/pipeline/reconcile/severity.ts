/** How grave a conflict is: by how far the values lie apart. */
import type { Claim } from '../claim.ts';
import type { Quantity } from '../values/value.ts';

export type Severity = 'low' | 'medium' | 'critical';

/** Figures closer than this share may be two roundings or two counts. */
const NEAR = 0.1;
/** From here on one of them is simply wrong. */
const FAR = 1;
const DAYS_NEAR = 31;
const DAYS_FAR = 366;

export function severityOf(a: Claim, b: Claim): Severity {
  if (a.kind === 'statement') return a.polarity === b.polarity ? 'medium' : 'critical';
  return a.kind === 'quantity' && b.kind === 'quantity' ? severityOfFigures(a.value, b.value) : 'medium';
}

function severityOfFigures(one: Quantity, other: Quantity): Severity {
  const distance = Math.abs(middle(one) - middle(other));
  if (one.dimension === 'date') return distance <= DAYS_NEAR ? 'low' : distance > DAYS_FAR ? 'critical' : 'medium';
  const least = Math.min(Math.abs(middle(one)), Math.abs(middle(other)));
  const apart = least === 0 ? FAR : distance / least;
  return apart <= NEAR ? 'low' : apart >= FAR ? 'critical' : 'medium';
}

/** Of a bound the end it gives. */
function middle({ low, high }: Quantity): number {
  return ((low ?? high ?? 0) + (high ?? low ?? 0)) / 2;
}
