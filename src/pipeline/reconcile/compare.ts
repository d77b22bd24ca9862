/** Holds one claim against another: pure, and the same from either side but for the order of its reason. */
import { compareCells } from './cells.ts';
import { type Comparison, incomparable, turned } from './comparison.ts';
import { compareDenial } from './denials.ts';
import { compareFields } from './fields.ts';
import { compareValues } from './quantities.ts';
import { compareSameSentence } from './same-sentence.ts';
import { compareSayings } from './sayings.ts';
import { apartFrom, compareTold } from './told.ts';
import type { View } from './view.ts';

export type { Comparison } from './comparison.ts';

export function compare(a: View, b: View): Comparison {
  if (a.claim.isCell && b.claim.isCell) return compareCells(a, b);
  if (!a.claim.isCell && !b.claim.isCell) return compareTexts(a, b);
  const [cell, text] = a.claim.isCell ? [a, b] : [b, a];
  const apart = apartFrom(cell, text);
  if (apart) return incomparable(apart);
  const found = compareTexts(a, b);
  if (found.verdict === 'incompatible') return found;
  return a === cell ? compareTold(cell, text) : turned(compareTold(cell, text));
}

/** By what they say; a cell, too, may be held against a sentence as if it were one. */
function compareTexts(a: View, b: View): Comparison {
  const { kind, modality, polarity, record } = a.claim;
  if (record !== '' && b.claim.record !== '' && record !== b.claim.record)
    return incomparable('They are of different records.');
  if (kind !== b.claim.kind) return incomparable('They are of different kinds.');
  if (modality !== b.claim.modality) return incomparable('One is a fact and the other is not.');
  if (modality === 'question' || modality === 'hypothesis') return incomparable('Neither says that it is so.');
  const same = compareSameSentence(a, b);
  if (same) return same;
  if (kind === 'quantity') return compareValues(a, b);
  if (kind === 'field') return compareFields(a, b);
  if (polarity && b.claim.polarity) return compareSayings(a, b);
  if (polarity === b.claim.polarity) return incomparable('Both deny.');
  return polarity ? turned(compareDenial(b, a)) : compareDenial(a, b);
}
