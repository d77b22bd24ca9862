/** Finds two statements that are the same but for what a thing has only one of: its colour, its origin, its currency. */
import { stem } from '../extract/stem.ts';
import { bare } from '../extract/terms.ts';
import { isName } from './view.ts';

/** What is said after these, one thing fills. Places are left out, as one may lie in the other. */
const SINGLE = new Set(
  'colour color job occupation profession religion currency motto derived originates gender spouse'
    .split(' ')
    .map(stem),
);
const MAX_FILLER = 5;

/** Where the terms of two statements differ; null if they may both hold. */
export function fillersOf(a: string[], b: string[]): [string[], string[]] | null {
  const [one, other] = [a.map(bare), b.map(bare)];
  let from = 0;
  while (from < one.length && one[from] === other[from]) from++;
  let tail = 0;
  const least = Math.min(one.length, other.length) - from;
  while (tail < least && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  if (!one.slice(0, from).some((term) => SINGLE.has(term))) return null;
  const fillers: [string[], string[]] = [a.slice(from, a.length - tail), b.slice(from, b.length - tail)];
  return areFillers(...fillers) ? [fillers[0].map(bare), fillers[1].map(bare)] : null;
}

function areFillers(a: string[], b: string[]): boolean {
  if (![a, b].every((terms) => terms.length > 0 && terms.length <= MAX_FILLER)) return false;
  if ([...a, ...b].some((term) => term.startsWith('='))) return false;
  const words = new Set(b.map(bare));
  return a.some(isName) === b.some(isName) && !a.some((term) => words.has(bare(term)));
}
