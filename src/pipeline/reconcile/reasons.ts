/** Says in plain words why two claims cannot both hold, for either order of the two. */
import type { Claim } from '../claim.ts';
import { tokenise } from '../extract/tokens.ts';
import { MONTH_NAMES } from '../lexicon/months.ts';
import type { Reason } from './comparison.ts';

export const quantityReason = (a: Claim, b: Claim): Reason => bothWays(quantityLine, a, b);
export const fieldReason = (a: Claim, b: Claim): Reason => bothWays(fieldLine, a, b);

const bothWays = (line: (one: Claim, other: Claim) => string, a: Claim, b: Claim): Reason => ({
  reason: line(a, b),
  swapped: line(b, a),
});

/** With what it is about, where the line does not name it. */
export function ofSubject(subject: string, line: string): string {
  return subject === '' || line.toLowerCase().includes(subject.toLowerCase()) ? line : `${subject}: ${lowered(line)}`;
}

function quantityLine(one: Claim, other: Claim): string {
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

/** In the words of the side that says it. */
export function denialReason({ label }: Claim): Reason {
  const what = label ? `'${lowered(label)}'` : 'it';
  return { reason: `One denies ${what}, the other says it.`, swapped: `One says ${what}, the other denies it.` };
}

function fieldLine(one: Claim, other: Claim): string {
  const label = (one.label || other.label).replace(/^the /i, '');
  if (label.endsWith(' by')) return `One says '${label} ${one.shown}', the other '${label} ${other.shown}'.`;
  const name = label.includes("'s ") ? label : label ? `The ${lowered(label)}` : 'It';
  return `${name} is ${one.shown} in one and ${other.shown} in the other.`;
}

/** Of words that exclude each other, or their stems: as each text has them. */
export function wordsReason(a: Claim, one: string[], b: Claim, other: string[]): Reason {
  const [first, second] = [wordsOf(a, one), wordsOf(b, other)];
  return {
    reason: `One says '${first}', the other '${second}'.`,
    swapped: `One says '${second}', the other '${first}'.`,
  };
}

function wordsOf({ sentence }: Claim, stems: string[]): string {
  const tokens = tokenise(sentence);
  return stems.map((base) => tokens.find(({ stem, lower }) => stem === base || lower === base)?.text ?? base).join(' ');
}
