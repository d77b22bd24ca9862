/** Says in plain words why two claims cannot both hold. The same from either side. */
import type { Claim } from '../claim.ts';
import { MONTH_NAMES } from '../extract/function-words.ts';
import { tokenise } from '../extract/tokens.ts';

export function quantityReason(a: Claim, b: Claim): string {
  const [one, other] = inOrder(a, b);
  const label = [one, other].map((claim) => claim.label).find((text) => text !== '' && text !== 'value') ?? '';
  // What the text has only a verb for, it has no name for.
  if (!label || label.startsWith('figure for')) return `One says ${said(one)}, the other ${said(other)}.`;
  if (/^[^ ]*[^s]s$/.test(label)) return `For ${lowered(label)}, one says ${said(one)}, the other ${said(other)}.`;
  return `${named(label, [one, other])} is ${said(one)} in one and ${said(other)} in the other.`;
}

/** 'The fee', but 'Unemployment' where the texts begin with it and have no article. */
function named(label: string, claims: Claim[]): string {
  const word = lowered(label);
  const isBare = claims.every(({ sentence }) => sentence.toLowerCase().replace(OPENING, '').startsWith(`${word} `));
  return isBare ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : `The ${word}`;
}

/** 'In March 2020, …' */
const OPENING = /^in \p{L}{1,20}(?: \d{4})?,? /u;

const said = ({ shown, polarity }: Claim) => `${polarity ? '' : 'not '}${MONTH.test(shown) ? shown : lowered(shown)}`;

/** 'More than 300' in the middle of a sentence; 'GDP' and 'US$' keep their capitals. */
function lowered(text: string): string {
  return /^\p{Lu}(?:\p{Ll}+(?![\p{Lu}\p{Sc}])|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const MONTH = new RegExp(`^(?:${MONTH_NAMES.map((month) => `${month}|${month.slice(0, 3)}`).join('|')})\\b`, 'i');

export function denialReason({ subject }: Claim): string {
  return subject ? `One denies what the other says of ${subject}.` : 'One denies what the other says.';
}

export function fieldReason(a: Claim, b: Claim): string {
  const [one, other] = inOrder(a, b);
  const label = (one.label || other.label).replace(/^the /i, '');
  const values = [one.shown, other.shown];
  if (label.endsWith(' by')) return `One says '${label} ${values[0]}', the other '${label} ${values[1]}'.`;
  const name = label.includes("'s ") ? label : label ? `The ${lowered(label)}` : 'It';
  return `${name} is ${values[0]} in one and ${values[1]} in the other.`;
}

/** Of stems that exclude each other: the words as each text has them. */
export function wordsReason(a: Claim, one: string[], b: Claim, other: string[]): string {
  const [first, second] = [wordsOf(a, one), wordsOf(b, other)].sort();
  return `One says '${first}', the other '${second}'.`;
}

function wordsOf({ sentence }: Claim, stems: string[]): string {
  const tokens = tokenise(sentence);
  return stems.map((base) => tokens.find(({ stem }) => stem === base)?.text ?? base).join(' ');
}

function inOrder(a: Claim, b: Claim): [Claim, Claim] {
  const isFirst = a.shown !== b.shown ? a.shown < b.shown : a.label < b.label || (a.label === b.label && a.polarity);
  return isFirst ? [a, b] : [b, a];
}
