import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuantities } from '../../../src/pipeline/values/find.ts';
import { found, only } from './show.ts';

describe('a time of day', () => {
  it('is in minutes since midnight', () => {
    expect(found('They met at 3 pm, at 15:30 and at 9.30 a.m. again.')).toEqual([
      '3 pm = clock 900',
      '15:30 = clock 930',
      '9.30 a.m. = clock 570',
    ]);
  });

  it('may begin or end a stretch', () => {
    expect(findQuantities('It is open from 9:00 to 17:00.').map(({ role }) => role)).toEqual(['from', 'until']);
  });
});

describe('what measures nothing is left out', () => {
  it.each([
    'See Section 4.2 on page 12 and Fig. 3 of Chapter 5, Article 7.',
    'It runs v2.1 or 3.0.1 from 192.168.0.1.',
    'Call +44 20 7946 0018 or 555-123-4567.',
    'The invoice INV-1234 is for an A380, a Boeing 747, an iPhone 12 and an F-16.',
    'They saw Apollo 11 and World War II and the Second World War.',
    'It is so.[12] It is so [12, 13].',
    '© 2021 Acme. Copyright 2019 Acme.',
    '1. Introduction',
    'They won 15:30, and the ratio is a good 4:3.',
    'They won 3-1, lost 2-6 6-2 6-3 and drew 0-0.',
    'It is at 613 Williams Street.',
    'See https://example.org/2021/05/300 for it.',
    'No one knows; one of them left; this one did not.',
    'One day one must go.',
    "It lies at 38°58'29.5'' north.",
    'In the second half of the match he ran.',
    'He was first seen there.',
    'Staff get the 401(k) match from a third party.',
    'See working paper no. 2004 of No. 86 Wing.',
    'A 24/7 line since 9/11.',
  ])('%s', (text) => expect(found(text)).toEqual([]));
});

describe('roles', () => {
  it.each([
    ['It rose from 1,900 to 2,310.', ['change-from', 'change-to']],
    ['It rose from 1,900 in spring to 2,310.', ['change-from', 'change-to']],
    ['Sales are up 5%.', ['change-by']],
    ['Sales grew 5%.', ['change-by']],
    ['It fell by 12 million.', ['change-by']],
    ['It saw a 5% increase.', ['change-by']],
    ['There are 4 more women.', ['change-by']],
    ['It rose by 3,000 to 48,000.', ['change-by', 'change-to']],
    ['It rose by 3 to 5 percent.', ['change-by']],
    ['It costs $3 a day.', ['per']],
    ['It has 12 per 100,000 people.', ['per']],
    ['It has 300 visitors per day.', ['per']],
    ['It is open from 5 to 7 hours.', ['']],
    ['It has 300 staff.', ['']],
  ])('%s', (text, roles) => expect(findQuantities(text).map(({ role }) => role)).toEqual(roles));

  it('ranks are ordinals', () => {
    expect(found('It is the third largest, was 21st, and peaked at number one.')).toEqual([
      'third = ordinal 3',
      '21st = ordinal 21',
      'number one = ordinal 1',
    ]);
  });
});

describe('for any text', () => {
  const pieces = fc.constantFrom(
    ...' 1 , . - – ½ $ € % ° \' " ( [ ] ) : / + ~ a an one two hundred million half third of and to from between May 1990 2021-05-03 s km ft in per day more than about or rose by No. th BC'.split(
      ' ',
    ),
    ' ',
    '  ',
    '\n',
    '\u00a0',
    '\ud83d',
    '5',
    '1,000',
    '2.5',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
    fc.array(pieces, { maxLength: 40 }).map((list) => list.join(' ')),
  );

  it('phrases are in bounds, in order and apart, and stretches are in order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0;
        for (const { start, end, value } of findQuantities(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(Number.isNaN(value.low) || Number.isNaN(value.high)).toBe(false);
          if (value.low !== null && value.high !== null) expect(value.low).toBeLessThanOrEqual(value.high);
          last = end;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('a number is the same in digits, with separators and in words', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 999_999_999 }), (value) => {
        for (const written of [String(value), value.toLocaleString('en'), words(value)]) {
          expect(only(`It has ${written} members.`).value).toMatchObject({
            dimension: 'count',
            low: value,
            high: value,
          });
        }
      }),
    );
  });

  it.each([
    '1',
    ',',
    '-',
    '½',
    ' ',
    '.',
    '1,',
    '1 ',
    '1-',
    '$',
    'one ',
    'hundred ',
    '[1,',
    '+1',
    '1 in ',
    '5 ft ',
    'May ',
    'a ',
    'more than ',
  ])('a hundred thousand characters of %j take linear time', (unit) => {
    const started = performance.now();
    findQuantities(unit.repeat(100_000 / unit.length));
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function words(value: number): string {
  if (value >= 1_000_000) return large(value, 1_000_000, 'million');
  if (value >= 1000) return large(value, 1000, 'thousand');
  if (value >= 100) {
    const rest = value % 100;
    return `${UNITS[Math.floor(value / 100)]} hundred${rest ? ` and ${words(rest)}` : ''}`;
  }
  if (value < 20) return UNITS[value] as string;
  return `${TENS[Math.floor(value / 10) - 2]}${value % 10 ? `-${UNITS[value % 10]}` : ''}`;
}

function large(value: number, size: number, name: string): string {
  const rest = value % size;
  return `${words(Math.floor(value / size))} ${name}${rest ? `${rest < 100 ? ' and' : ''} ${words(rest)}` : ''}`;
}
