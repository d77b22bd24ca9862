import { describe, expect, it } from 'vitest';
import { tokenise } from '../../../src/pipeline/extract/tokens.ts';

const names = (sentence: string) => tokenise(sentence).flatMap(({ text, isName }) => (isName ? [text] : []));

describe('tokenise', () => {
  it('parts contractions and possessives', () => {
    expect(tokenise("Acme's plant isn't open").map(({ lower }) => lower)).toEqual([
      'acme',
      "'s",
      'plant',
      'is',
      "n't",
      'open',
    ]);
  });

  it('keeps places in the sentence', () => {
    const sentence = 'The “Blue” team’s score: 3–1, 2.5.';
    for (const { text, start, end } of tokenise(sentence)) expect(sentence.slice(start, end)).toBe(text);
  });

  it.each([
    ['Acme Ltd was founded in Rome.', ['Acme', 'Ltd', 'Rome']],
    ['The bridge was closed in May.', []],
    ['Employees are paid monthly.', []],
    ['Founded in 1990 by Jane Doe.', ['Jane', 'Doe']],
    ['Unemployment fell in Ohio.', ['Ohio']],
    ['Stir the soup with a Kestrel spoon.', ['Kestrel']],
    ['Peter the Great saw Riga.', ['Peter', 'Great', 'Riga']],
    ['Council Approves New Budget For Harbour Works', []],
  ])('tells the names of %j', (sentence, expected) => {
    expect(names(sentence)).toEqual(expected);
  });
});
