/** A claim as it is shown to whoever reads claims: what it says, without what only comparing needs. Pure. */
import type { ShownClaim } from '../../contract/claims.ts';
import type { Claim } from '../claim.ts';
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
    // An extractor may show its sentence alone.
    span: span.end > span.start ? { start: span.start, end: span.end } : null,
  };
}

/** As contradictions name it. */
export const shownAttribute = ({ label, attribute }: Claim): string => label || attribute;
