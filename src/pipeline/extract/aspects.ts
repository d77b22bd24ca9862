/** Labels, and what a sentence has for them: 'is 810 m long' gives a length. */
import { stem } from './stem.ts';

const ASPECTS = [
  'length long',
  'width wide',
  'height high tall',
  'depth deep',
  'weight weigh heavy',
  'age old',
  'price cost',
].map((words) => words.split(' ').map(stem));

/** The stems that a text may have instead of this one, itself included; none when it is no such word. */
export const aspectOf = (word: string) => ASPECTS.find((words) => words.includes(word)) ?? [];
