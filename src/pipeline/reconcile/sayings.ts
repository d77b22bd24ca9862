/** Holds two statements against each other of which neither denies anything: by words that exclude each other. */
import type { Claim, StatementClaim } from '../claim.ts';
import { areOpposite } from '../lexicon/antonyms.ts';
import { nationOf, sortOf } from '../lexicon/kinds.ts';
import { includes, isFigure, isSame, type Term } from '../term.ts';
import { type Comparison, incomparable, incompatible } from './comparison.ts';
import { guarded, isChoosing } from './guards.ts';
import type { Overlap } from './overlap.ts';
import { wordsReason } from './reasons.ts';
import { fillersOf } from './single.ts';
import type { View } from './view.ts';

export function compareSayings(a: View<StatementClaim>, b: View<StatementClaim>): Comparison {
  const [one, other] = [a.claim, b.claim];
  const fillers = fillersOf(one.terms, other.terms);
  const areKinds = one.attribute === 'be' && other.attribute === 'be';
  // Most have no word that could exclude one of the other, and how far they speak of the same need not be worked out.
  const mayExclude = areKinds || a.contrary.some((word) => b.contrary.some((like) => areOpposite(word, like)));
  if (!fillers && !mayExclude) return incomparable('Neither denies the other.');
  const overlap = guarded(a, b, fillers === null);
  if (typeof overlap === 'string') return incomparable(overlap);
  // Without a verb nothing is said.
  if (fillers && one.attribute !== '' && other.attribute !== '')
    return incompatible('what only one can be', wordsReason(one, fillers[0], other, fillers[1]));
  if (areKinds && haveSameSubject(a, b)) {
    const words = exclusion(one.value, other.value);
    if (words) return incompatible('kinds that exclude each other', wordsReason(one, words[0], other, words[1]));
  }
  // Who wins and who loses are two.
  const areNamed = a.subject.length + b.subject.length > 0;
  const opposites = areNamed && !haveSameSubject(a, b) ? null : findOpposites(one, other, overlap);
  return opposites
    ? incompatible('opposites', wordsReason(one, [opposites[0]], other, [opposites[1]]))
    : incomparable('Neither denies the other.');
}

function findOpposites(a: Claim, b: Claim, { onlyA, onlyB, shared }: Overlap): [string, string] | null {
  // 'Opens at 8:15' and 'closes at 15:30' are two events of one day.
  if (haveOtherFigures(a, b)) return null;
  // With more than one of them each speaks of something else besides.
  if (shared.length < 2 || Math.min(onlyA.length, onlyB.length) !== 1) return null;
  // Titles and other names are not said of anything: 'The Long Night' is not the opposite of 'The Short Day'.
  // 'The left knee' is another than 'the right knee'. And 'the north tower' and 'the south tower' are two.
  for (const one of onlyA)
    for (const other of onlyB)
      if (areOppositeWords(one, other) && !isChoosing(one.word) && !(isFirst(a, one) && isFirst(b, other)))
        return [one.word, other.word];
  return null;
}

const areOppositeWords = (one: Term, other: Term) =>
  one.kind === 'word' && other.kind === 'word' && areOpposite(one.word, other.word);
const isFirst = ({ terms: [first] }: Claim, term: Term) => first !== undefined && isSame(first, term);

/** Each has one, and none of them is the other's. */
function haveOtherFigures({ terms: one }: Claim, { terms: other }: Claim): boolean {
  return one.some(isFigure) && other.some(isFigure) && !one.some((term) => isFigure(term) && includes(other, term));
}

/** All names of the one are names of the other. */
function haveSameSubject({ subject: left }: View, { subject: right }: View): boolean {
  if (left.length === 0 || right.length === 0) return false;
  return left.every((name) => right.includes(name)) || right.every((name) => left.includes(name));
}

/** Words of which one thing bears only one: other countries, or other sorts of things. */
function exclusion(one: Term[], other: Term[]): [string[], string[]] | null {
  const of = (terms: Term[], kind: Term['kind']) => terms.filter((term) => term.kind === kind).map(({ word }) => word);
  return (
    apart(of(one, 'word'), of(other, 'word'), nationOf) ??
    apart(of(one, 'within'), of(other, 'within'), nationOf) ??
    apart(of(one, 'word'), of(other, 'word'), sortOf)
  );
}

function apart<T>(
  one: string[],
  other: string[],
  kindOf: (word: string) => T | undefined,
): [string[], string[]] | null {
  const [left, right] = [one, other].map((words) => words.filter((word) => kindOf(word) !== undefined));
  if (!left?.length || !right?.length) return null;
  return left.some((word) => right.some((like) => kindOf(like) === kindOf(word))) ? null : [left, right];
}
