import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities } from '../../../src/pipeline/values/compare.ts';
import { valueKey } from '../../../src/pipeline/values/normal.ts';
import type { Dimension, Quantity } from '../../../src/pipeline/values/value.ts';
import { only } from './show.ts';

const value = (text: string) => only(`It was ${text}.`).value;
const comparison = (a: string, b: string) => compareQuantities(value(a), value(b));

describe('equal', () => {
  it.each([
    ['1,900', '1900'],
    ['2.4 km', '2,400 m'],
    ['half of it', '50%'],
    ['12 months', '1 year'],
    ['five dollars', '$5'],
    ['more than 300', 'over 300'],
    ['68 °F', '20 °C'],
    ['21 August 1968', '1968-08-21'],
    ['June 2021', 'in June 2021'],
  ])('%s, %s', (a, b) => {
    expect(comparison(a, b)).toBe('equal');
    expect(valueKey(value(a))).toBe(valueKey(value(b)));
  });
});

describe('compatible', () => {
  it.each([
    ['1,893', '1,900'],
    ['1,893', 'about 2,000'],
    ['2.3 million', '2,310,000'],
    ['about 1,900', '1,923'],
    ['5 miles', '8 km'],
    ['more than 300', '500'],
    ['more than 300', 'at least 300'],
    ['at least 300', '300'],
    ['fewer than 300', '250'],
    ['between 5 and 7', '6'],
    ['between 5 and 7', '7 to 9'],
    ['nearly 800', '800'],
    ['nearly half a million', '430,000'],
    ['over 1.8 million', '1.8 million'],
    ['more than 16,000', '16,000'],
    ['at least 184', 'over 184'],
    ['5 May', '5 May 2021'],
    ['in 2021', '5 May 2021'],
    ['in the 1990s', 'in 1995'],
    ['about 1850', 'in 1853'],
    ['before 2008', 'in 2003'],
    ['from 1998 to 2004', 'in 2001'],
    ['30 days', 'one month'],
    ['early 2021', 'March 2021'],
    ['05/06/2021', '5 June 2021'],
  ])('%s, %s', (a, b) => expect(comparison(a, b)).toBe('compatible'));
});

describe('incompatible', () => {
  it.each([
    ['1,900', '2,310'],
    ['about 1,900', '2,310'],
    ['20', '21'],
    ['18', '28'],
    ['2.3', '2.4'],
    ['100', '140'],
    ['more than 300', '250'],
    ['more than 300', 'fewer than 200'],
    ['more than 300', 'no more than 300'],
    ['more than 18', '18'],
    ['less than 300', '300'],
    ['less than $127 million', '$127 million'],
    ['more than 3,100', '3,000'],
    ['less than 140,000', 'more than 141,000'],
    ['over 50 years', 'three decades'],
    ['more than 5 billion', 'around 4.54 billion'],
    ['between 1.5% and 3.8%', 'between 0.2% and 0.3%'],
    ['5%', '7%'],
    ['the third', 'the fourth'],
    ['5 km', '7 miles'],
    ['in 1998', 'in 1999'],
    ['5 May 2021', '6 May 2021'],
    ['5 May', '6 June 2021'],
    ['before 2008', 'February 2008'],
    ['after 2002', 'in 2002'],
    ['the early 1970s', 'in 1969'],
    ['about 1850', 'in 1880'],
    ['$5 a day', '$9 a day'],
  ])('%s, %s', (a, b) => expect(comparison(a, b)).toBe('incompatible'));
});

describe('incomparable', () => {
  it.each([
    ['5 km', '5 kg'],
    ['$5', '€5'],
    ['5', 'the fifth'],
    ['5%', '5 percentage points'],
    ['$5', '$5 per person'],
    ['in 1972', '1,972'],
    ['5 May', 'in 2021'],
  ])('%s, %s', (a, b) => expect(comparison(a, b)).toBe('incomparable'));
});

describe('for any two values', () => {
  const number = fc.oneof(
    fc.constantFrom(0, 18, 100, 300),
    fc.integer({ min: -50, max: 5000 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  );
  const quantity = fc
    .record({
      dimension: fc.constantFrom<Dimension>('count', 'ratio', 'percent', 'money', 'date', 'ordinal', 'length'),
      unit: fc.constantFrom('', '', '', 'usd', 'yearless'),
      ends: fc.tuple(number, fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 }))),
      shape: fc.constantFrom('both', 'low', 'high'),
      lowOpen: fc.boolean(),
      highOpen: fc.boolean(),
      precision: fc.constantFrom(0.01, 1, 10, 100, 365),
      approximate: fc.boolean(),
    })
    .map(({ ends, shape, ...rest }): Quantity => {
      const low = rest.dimension === 'date' ? Math.round(ends[0]) : ends[0];
      return {
        ...rest,
        low: shape === 'high' ? null : low,
        high: shape === 'low' ? null : low + ends[1],
      };
    });

  it('the order does not matter, and equal ones have the same key', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const result = compareQuantities(a, b);
        expect(compareQuantities(b, a)).toBe(result);
        if (result === 'equal') expect(valueKey(a)).toBe(valueKey(b));
      }),
      { numRuns: 3000 },
    );
  });

  it('every value is equal to itself', () => {
    fc.assert(
      fc.property(quantity, (a) => {
        expect(compareQuantities(a, { ...a })).toBe('equal');
      }),
    );
  });
});
