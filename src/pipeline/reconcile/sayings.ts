/** Holds two statements against each other of which neither denies anything: by words that exclude each other. */
import type { Claim, Words } from '../claim.ts';
import { type Comparison, incomparable, incompatible } from './comparison.ts';
import { guarded } from './guards.ts';
import { areOpposite } from './lexicon/antonyms.ts';
import { nationOf, sortOf } from './lexicon/kinds.ts';
import type { Overlap } from './overlap.ts';
import { wordsReason } from './reasons.ts';
import { fillersOf } from './single.ts';
import type { View } from './view.ts';

export function compareSayings(a: View, b: View): Comparison {
  const [one, other] = [a.claim, b.claim];
  const fillers = fillersOf(one.terms, other.terms);
  const overlap = guarded(a, b, fillers === null);
  if (typeof overlap === 'string') return incomparable(overlap);
  if (fillers) return incompatible(wordsReason(one, fillers[0], other, fillers[1]));
  if (one.attribute === 'be' && other.attribute === 'be' && haveSameSubject(a, b)) {
    const reason = exclusion((one.value as Words).words, (other.value as Words).words);
    if (reason) return incompatible(reason);
  }
  // Who wins and who loses are two.
  const areNamed = a.subject.length + b.subject.length > 0;
  const opposites = areNamed && !haveSameSubject(a, b) ? null : findOpposites(one, other, overlap);
  return opposites
    ? incompatible(wordsReason(one, [opposites[0]], other, [opposites[1]]))
    : incomparable('Neither denies the other.');
}

function findOpposites(a: Claim, b: Claim, { onlyA, onlyB, shared }: Overlap): [string, string] | null {
  // With more than one of them each speaks of something else besides.
  if (shared.length < 2 || Math.min(onlyA.length, onlyB.length) !== 1) return null;
  // Titles and other names are not said of anything: 'The Long Night' is not the opposite of 'The Short Day'.
  // And 'the north tower' and 'the south tower' are two.
  for (const one of onlyA)
    for (const other of onlyB)
      if (areOpposite(one, other) && !(a.terms[0] === one && b.terms[0] === other)) return [one, other];
  return null;
}

/** All names of the one are names of the other. */
function haveSameSubject({ subject: left }: View, { subject: right }: View): boolean {
  if (left.length === 0 || right.length === 0) return false;
  return left.every((name) => right.includes(name)) || right.every((name) => left.includes(name));
}

function exclusion(one: string[], other: string[]): string {
  const isIn = (word: string) => word.startsWith('in:');
  const within = (words: string[]) => words.filter(isIn).map((word) => word.slice(3));
  const head = (words: string[]) => words.filter((word) => !isIn(word));
  if (areApart(head(one), head(other), nationOf) || areApart(within(one), within(other), nationOf))
    return 'They give it different countries.';
  return areApart(head(one), head(other), sortOf) ? 'They say that it is different things.' : '';
}

function areApart<T>(one: string[], other: string[], kindOf: (word: string) => T | undefined): boolean {
  const left = one.map(kindOf).filter((kind) => kind !== undefined);
  const right = other.map(kindOf).filter((kind) => kind !== undefined);
  return left.length > 0 && right.length > 0 && !left.some((kind) => right.includes(kind));
}
