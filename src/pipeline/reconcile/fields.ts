/** Holds two values that have a name against each other: fields, cells of tables, and who fills a role. */
import type { Claim, FieldClaim, Words } from '../claim.ts';
import { isOffice } from '../extract/offices.ts';
import { isRegion } from '../lexicon/kinds.ts';
import { stem } from '../lexicon/stem.ts';
import { TermSet } from '../term.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { guarded } from './guards.ts';
import { fieldReason } from './reasons.ts';
import type { View } from './view.ts';

const MOST_LEAST = 0.8;
const LEAST_LEAST = 0.6;

export function compareFields(a: View<FieldClaim>, b: View<FieldClaim>): Comparison {
  const [left, right] = [a.claim, b.claim];
  const [one, other] = [left.value, right.value];
  if (!left.polarity || !right.polarity) return incomparable('A denied value leaves all others open.');
  if (isList(one) || isList(other)) return incomparable('There may be several.');
  if (isOffice(left.attribute) || isOffice(right.attribute)) {
    if (left.attribute !== right.attribute || !areOfOneBody(a, b))
      return incomparable('They are about different things.');
    // An office has one holder after the other.
    if (left.qualifiers.time !== right.qualifiers.time) return incomparable('They may speak of different times.');
    if (left.attribute === 'headquarters' && [...one.words, ...other.words].some(isRegion))
      return incomparable('One place may lie in the other.');
  }
  if (contains(one.words, other.words) || contains(other.words, one.words)) return compatible;
  const overlap = guarded(a, b);
  if (typeof overlap === 'string') return incomparable(overlap);
  const mayBeSame =
    one.words.some((word) => other.words.includes(word)) || describes(one, right) || describes(other, left);
  if (mayBeSame && !areRelated(one.words, other.words)) return incomparable('The values may be the same.');
  if (overlap.most < MOST_LEAST || overlap.least < LEAST_LEAST || overlap.shared.length < 2)
    return incomparable('They have too little in common.');
  return incompatible('what only one can be', fieldReason(left, right));
}

/** What a company's name may leave out. */
const FORMS = new Set(
  'ltd limited inc incorporated plc gmbh ag corp corporation company co group the'.split(' ').map(stem),
);

function areOfOneBody(a: View, b: View): boolean {
  const bodyOf = ({ subject }: View) => subject.filter((name) => !FORMS.has(name));
  const [one, other] = [bodyOf(a), bodyOf(b)];
  return one.length === other.length && contains(one, other);
}

const isList = ({ text }: Words) => /[,;/]| and | & /.test(text);
const contains = (one: string[], other: string[]) => other.every((word) => one.includes(word));

/** What fills the role in one may be part of how the other describes it. */
function describes({ words }: Words, { terms }: Claim): boolean {
  const own = new TermSet(terms);
  return words.some((word) => own.hasWord(word));
}

/** 'Paul Miller' and 'Peter Miller', but not 'P. Miller'. */
function areRelated(one: string[], other: string[]): boolean {
  if (one.length !== other.length || one.length < 2 || one.at(-1) !== other.at(-1)) return false;
  const at = one.findIndex((word, index) => word !== other[index]);
  const [left = '', right = ''] = [one[at], other[at]];
  const isShort = left.length < 3 || right.length < 3 || left.startsWith(right) || right.startsWith(left);
  return at >= 0 && !isShort && one.slice(at + 1).every((word, index) => word === other[at + 1 + index]);
}
