/** Claims of which one word says all there is to say, as in 'The fee is €50'. */
import type { Claim } from '../claim.ts';
import { stem } from '../lexicon/stem.ts';
import type { View } from './view.ts';

/** Any text may give its own of these. */
const EMPTY = new Set(
  'total sum value amount number result answer figure rest difference average score price cost age time date year day'
    .split(' ')
    .map(stem),
);
/** In characters: a longer sentence says more than its terms. */
const BRIEF = 60;

export function areLone(a: View, b: View): boolean {
  const [one, other] = [a.claim, b.claim];
  return (
    isLone(a) &&
    isLone(b) &&
    a.own[0]?.word === b.own[0]?.word &&
    one.qualifiers.time === other.qualifiers.time &&
    one.qualifiers.condition === other.qualifiers.condition &&
    one.qualifiers.subset === other.qualifiers.subset &&
    isPast(one) === isPast(other)
  );
}

export function isLone({ claim, own }: View): boolean {
  const [term, ...more] = own;
  if (!term || more.length > 0 || claim.isOpen || claim.rest.length > 0 || EMPTY.has(term.word)) return false;
  // 'Acme is 50' may be said of many things.
  const isNoun = term.kind === 'word' || /^(?:The|Our|Your) /.test(claim.sentence);
  return isNoun && claim.sentence.length <= BRIEF;
}

/** What was so may have changed since. */
export const isPast = ({ sentence }: Claim) => /\b(?:was|were|had)\b/.test(sentence);
