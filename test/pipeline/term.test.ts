import { describe, expect, it } from 'vitest';
import {
  asFigure,
  asName,
  asSubject,
  asWithin,
  asWord,
  distinct,
  isAlike,
  PLACE,
  readTerm,
  TermSet,
  writeTerm,
} from '../../src/pipeline/term.ts';

describe('a term', () => {
  it.each([
    [asWord('budget'), 'budget'],
    [asSubject('acm'), '@acm'],
    [asName('rom'), '^rom'],
    [asFigure('2019'), '=2019'],
    [asWithin('denmark'), 'in:denmark'],
    [PLACE, '#'],
  ])('is stored by the mark of what it is, as earlier releases did: %o', (term, text) => {
    expect(writeTerm(term)).toBe(text);
    expect(readTerm(text)).toEqual(term);
  });

  it('is like another that says the same, but a figure is no name', () => {
    expect(isAlike(asSubject('rom'), asName('rom'))).toBe(true);
    expect(isAlike(asFigure('7'), asName('7'))).toBe(false);
    const set = new TermSet([asSubject('pump'), asFigure('7')]);
    expect([asWord('pump'), asFigure('7'), asName('7')].map((term) => set.has(term))).toEqual([true, true, false]);
    expect([set.hasWord('pump'), set.hasWord('7')]).toEqual([true, false]);
  });

  it('is there once by what it is, too', () => {
    expect(distinct([asSubject('rom'), asWord('rom'), asSubject('rom')])).toEqual([asSubject('rom'), asWord('rom')]);
  });
});
