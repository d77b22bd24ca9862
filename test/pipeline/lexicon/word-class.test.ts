/** Classes of words, as the bits of one number. */
import { expect, it } from 'vitest';
import { anyOf, hasAny, isOf, WordClasses } from '../../../src/pipeline/lexicon/word-class.ts';

const classes = new WordClasses();
const COLOUR = classes.add(({ lower }) => lower === 'red' || lower === 'blue');
const FOUND = classes.add(({ stem }) => stem === 'found');
const SHOUTED = classes.add(({ text }) => text === text.toUpperCase());
const word = (text: string, stem = text) => ({ classes: classes.of({ text, lower: text.toLowerCase(), stem }) });

it('tells of which classes a word is', () => {
  const [red, founder, plain] = [word('RED'), word('founder', 'found'), word('plain')];
  expect([red, founder, plain].map((one) => isOf(one, COLOUR))).toEqual([true, false, false]);
  expect([red, founder, plain].map((one) => isOf(one, FOUND))).toEqual([false, true, false]);
  expect([red, founder, plain].map((one) => isOf(one, anyOf(COLOUR, FOUND)))).toEqual([true, true, false]);
  expect(isOf(red, SHOUTED)).toBe(true);
  expect(isOf(undefined, COLOUR)).toBe(false);
  expect([hasAny([plain, founder], FOUND), hasAny([plain, red], FOUND)]).toEqual([true, false]);
});

it('has no more of them than a number has bits', () => {
  const makeAll = () => {
    for (let nth = 0; nth < 40; nth++) classes.add(() => true);
  };
  expect(makeAll).toThrow('more than 32');
  expect(isOf(word('blue'), COLOUR)).toBe(true);
});
