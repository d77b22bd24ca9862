/** Finds two statements that are the same but for what a thing has only one of: its colour, its place, who manages it. */
import { bare } from '../extract/terms.ts';
import { isRegion } from '../lexicon/kinds.ts';
import { stem } from '../lexicon/stem.ts';
import { isName } from './view.ts';

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
export function fillersOf(a: string[], b: string[]): [string[], string[]] | null {
  // Nearly all begin in another way.
  if (!areSame(a[0], b[0]) || !areSame(a[1], b[1])) return null;
  const [one, other] = [a.map(bare), b.map(bare)];
  let from = 2;
  while (from < one.length && one[from] === other[from]) from++;
  let tail = 0;
  const least = Math.min(one.length, other.length) - from;
  while (tail < least && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const fillers: [string[], string[]] = [a.slice(from, a.length - tail), b.slice(from, b.length - tail)];
  return areFillers(...fillers) && isAsked(one.slice(0, from), ...fillers)
    ? [fillers[0].map(bare), fillers[1].map(bare)]
    : null;
}

const areSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && bare(one) === bare(other);

/** What stands before tells that one thing fills it. */
function isAsked(before: string[], a: string[], b: string[]): boolean {
  const both = [...a, ...b];
  const areNames = both.every(isName);
  if (areNames && before.some((term) => CODED.has(term)) && both.every((term) => /\d/.test(term))) return true;
  if (areNames && before.some((term) => NAMED.has(term))) return before.includes(REGISTERED) || areOfOneSize(a, b);
  return before.some((term) => SINGLE.has(term));
}

/** Of a town and a country one may lie in the other. */
const areOfOneSize = (a: string[], b: string[]) => a.map(bare).some(isRegion) === b.map(bare).some(isRegion);

function areFillers(a: string[], b: string[]): boolean {
  if (![a, b].every((terms) => terms.length > 0 && terms.length <= MAX_FILLER)) return false;
  if ([...a, ...b].some((term) => term.startsWith('='))) return false;
  const words = new Set(b.map(bare));
  return a.some(isName) === b.some(isName) && !a.some((term) => words.has(bare(term)));
}
