/** Labels, and what a sentence has for them: 'is 810 m long' gives a length. */
import { stem } from './stem.ts';

const ASPECTS =
  'length long distance|width wide breadth|height high tall elevation altitude|depth deep|diameter radius|rainfall snowfall|weight weigh heavy|age old|price cost'
    .split('|')
    .map((words) => words.split(' ').map(stem));

/** Whether each measures something of its own: a height is not a width. */
export function areOfOtherAspects(one: string[], other: string[]): boolean {
  const [left, right] = [one, other].map((words) => words.map(aspectOf).filter((aspect) => aspect.length > 0));
  return !!left?.length && !!right?.length && !left.some((aspect) => right.includes(aspect));
}

/** The stems that a text may have instead of this one, itself included; none when it is no such word. */
export const aspectOf = (word: string) => ASPECTS.find((words) => words.includes(word)) ?? [];
