/** A claim as it is shown to whoever reads claims: what it says, without what only comparing needs. Pure. */
import type { ShownClaim } from '../../contract/claims.ts';
import { type Claim, LABEL_SHOWN } from '../claim.ts';
import { cut } from '../storable.ts';
import { shownQualifiers } from './qualifiers.ts';
import { shownValue } from './value.ts';

export function shownClaim(claim: Claim): ShownClaim {
  const { subject, polarity, modality, qualifiers, sentence, span } = claim;
  return {
    subject: subject || null,
    attribute: shownAttribute(claim),
    value: shownValue(claim),
    polarity: polarity ? 'affirmed' : 'denied',
    modality,
    qualifiers: shownQualifiers(qualifiers),
    sentence,
    span: hasPlace(claim) ? { start: span.start, end: span.end } : null,
  };
}

/** An extractor may show its sentence alone. */
export const hasPlace = ({ span }: Claim): boolean => span.end > span.start;

/** As contradictions name it. A stem is as long as its word. */
export const shownAttribute = ({ label, attribute }: Claim): string => label || cut(attribute, LABEL_SHOWN);
