/** Says in plain words why two claims cannot both hold. The same from either side. */
import type { Claim, Words } from '../claim.ts';
import { tokenise } from '../extract/tokens.ts';

export function quantityReason(a: Claim, b: Claim): string {
  const [one, other] = inOrder(a, b);
  return `The ${one.label || other.label || 'value'} is ${said(one)} in one and ${said(other)} in the other.`;
}

const said = ({ shown, polarity }: Claim) => (polarity ? shown : `not ${shown}`);

export function denialReason({ subject }: Claim): string {
  return subject ? `One denies what the other says of ${subject}.` : 'One denies what the other says.';
}

export function fieldReason(a: Claim, b: Claim): string {
  const [one, other] = inOrder(a, b);
  const label = one.label || other.label;
  const values = `${(one.value as Words).text} in one and ${(other.value as Words).text} in the other.`;
  return label ? `'${label}' is ${values}` : `It is ${values}`;
}

/** Of stems that exclude each other: the words as each text has them. */
export function wordsReason(a: Claim, one: string, b: Claim, other: string): string {
  const [first, second] = [wordOf(a, one), wordOf(b, other)].sort();
  return `One says '${first}', the other '${second}'.`;
}

function wordOf({ sentence }: Claim, base: string): string {
  return tokenise(sentence).find(({ stem }) => stem === base)?.text ?? base;
}

function inOrder(a: Claim, b: Claim): [Claim, Claim] {
  const isFirst = a.shown !== b.shown ? a.shown < b.shown : a.label < b.label || (a.label === b.label && a.polarity);
  return isFirst ? [a, b] : [b, a];
}
