/** Finds two statements that are the same but for what a thing has only one of: its colour, its place, who manages it. */

import { isRegion } from '../lexicon/kinds.ts';
import { stem } from '../lexicon/stem.ts';
import { isAlike, isFigure, isName, type Term, wordOf } from '../term.ts';

const stems = (words: string) => new Set(words.split(' ').map(stem));
/** What is said after these, one thing fills. */
const SINGLE = stems(
  'colour color painted job occupation profession religion currency motto derived originates gender spouse',
);
/** After these only a name does: where a thing is, and who has it in hand. */
const NAMED = stems(
  'based located headquartered held registered reports supervised managed owned audited insured governed leased assigned ' +
    'shipped stored chaired headed hosted operated employed belongs docked moored born buried chief lives works awarded built',
);
/** A ship is registered in one country. */
const REGISTERED = stem('registered');
/** After these only a code does. */
const CODED = stems('number serial code reference registration badge plate account');
const MAX_FILLER = 5;

/** Where the terms of two statements differ; null if they may both hold. */
export function fillersOf(a: Term[], b: Term[]): [string[], string[]] | null {
  // Nearly all begin in another way.
  if (!areAlike(a[0], b[0]) || !areAlike(a[1], b[1])) return null;
  let from = 2;
  while (areAlike(a[from], b[from])) from++;
  let tail = 0;
  const least = Math.min(a.length, b.length) - from;
  while (tail < least && areAlike(a.at(-1 - tail), b.at(-1 - tail))) tail++;
  const fillers: [Term[], Term[]] = [a.slice(from, a.length - tail), b.slice(from, b.length - tail)];
  return areFillers(...fillers) && isAsked(a.slice(0, from), ...fillers)
    ? [fillers[0].map(wordOf), fillers[1].map(wordOf)]
    : null;
}

const areAlike = (one: Term | undefined, other: Term | undefined) =>
  one !== undefined && other !== undefined && isAlike(one, other);

/** What stands before tells that one thing fills it. */
function isAsked(lead: Term[], a: Term[], b: Term[]): boolean {
  const before = lead.flatMap((term) => (isFigure(term) ? [] : [term.word]));
  const both = [...a, ...b];
  const areNames = both.every(isName);
  if (areNames && before.some((word) => CODED.has(word)) && both.every(({ word }) => /\d/.test(word))) return true;
  if (areNames && before.some((word) => NAMED.has(word))) return before.includes(REGISTERED) || areOfOneSize(a, b);
  return before.some((word) => SINGLE.has(word));
}

/** Of a town and a country one may lie in the other. */
const areOfOneSize = (a: Term[], b: Term[]) =>
  a.some(({ word }) => isRegion(word)) === b.some(({ word }) => isRegion(word));

function areFillers(a: Term[], b: Term[]): boolean {
  if (![a, b].every((terms) => terms.length > 0 && terms.length <= MAX_FILLER)) return false;
  if (a.some(isFigure) || b.some(isFigure)) return false;
  return a.some(isName) === b.some(isName) && !a.some((term) => b.some((like) => isAlike(term, like)));
}
