/** Holds one claim against another: pure, and the same from either side but for the order of its reason. */
import type { StatementClaim } from '../claim.ts';
import { compareCells } from './cells.ts';
import { type Comparison, incomparable, turned } from './comparison.ts';
import { compareDenial } from './denials.ts';
import { compareFields } from './fields.ts';
import { compareValues } from './quantities.ts';
import { compareSameFigures, compareSameStatements } from './same-sentence.ts';
import { compareSayings } from './sayings.ts';
import { apartFrom, compareTold } from './told.ts';
import { isCell, isField, isQuantity, isStatement, type View } from './view.ts';

export type { Comparison } from './comparison.ts';

export function compare(a: View, b: View): Comparison {
  if (isCell(a)) {
    if (isCell(b)) return compareCells(a, b);
    return apartFrom(a, b) ?? foundAsTexts(a, b) ?? compareTold(a, b);
  }
  if (!isCell(b)) return compareTexts(a, b);
  return apartFrom(b, a) ?? foundAsTexts(a, b) ?? turned(compareTold(b, a));
}

/** A cell, too, may be held against a sentence as if it were one. */
function foundAsTexts(a: View, b: View): Comparison | null {
  const found = compareTexts(a, b);
  return found.verdict === 'incompatible' ? found : null;
}

/** By what they say: each kind of claim has a comparer of its own. */
function compareTexts(a: View, b: View): Comparison {
  const { kind, modality, record } = a.claim;
  if (record !== '' && b.claim.record !== '' && record !== b.claim.record)
    return incomparable('They are of different records.');
  if (kind === b.claim.kind) {
    if (modality !== b.claim.modality) return incomparable('One is a fact and the other is not.');
    if (modality === 'question' || modality === 'hypothesis') return incomparable('Neither says that it is so.');
    if (isQuantity(a) && isQuantity(b)) return compareSameFigures(a, b) ?? compareValues(a, b);
    if (isField(a) && isField(b)) return compareFields(a, b);
    if (isStatement(a) && isStatement(b)) return compareSameStatements(a, b) ?? compareStatements(a, b);
  }
  return incomparable('They are of different kinds.');
}

function compareStatements(a: View<StatementClaim>, b: View<StatementClaim>): Comparison {
  if (a.claim.polarity && b.claim.polarity) return compareSayings(a, b);
  if (a.claim.polarity === b.claim.polarity) return incomparable('Both deny.');
  return a.claim.polarity ? turned(compareDenial(b, a)) : compareDenial(a, b);
}
