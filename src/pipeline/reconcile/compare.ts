/** Holds one claim against another: pure, and the same from either side. */
import type { Claim } from '../claim.ts';
import { type Comparison, incomparable } from './comparison.ts';
import { compareDenial } from './denials.ts';
import { compareFields } from './fields.ts';
import type { Contexts } from './overlap.ts';
import { compareValues } from './quantities.ts';
import { compareSayings } from './sayings.ts';

export type { Comparison } from './comparison.ts';

export function compare(a: Claim, b: Claim, contexts?: Contexts): Comparison {
  if (a.kind !== b.kind) return incomparable('They are of different kinds.');
  if (a.modality !== b.modality) return incomparable('One is a fact and the other is not.');
  if (a.modality === 'question' || a.modality === 'hypothesis') return incomparable('Neither says that it is so.');
  if (a.kind === 'quantity') return compareValues(a, b, contexts);
  if (a.kind === 'field') return compareFields(a, b, contexts);
  if (a.polarity && b.polarity) return compareSayings(a, b, contexts);
  if (a.polarity === b.polarity) return incomparable('Both deny.');
  return a.polarity ? compareDenial(b, a, contexts && { a: contexts.b, b: contexts.a }) : compareDenial(a, b, contexts);
}
