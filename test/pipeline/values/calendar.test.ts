import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  endsOf,
  monthStretch,
  moveYear,
  yearOf,
  yearStretch,
} from '../../../src/pipeline/values/calendar.ts';

const DAY_MS = 86_400_000;
const days = fc.integer({ min: -1_000_000, max: 1_000_000 });

describe('days', () => {
  it('are those of the JavaScript calendar', () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * DAY_MS);
        expect(dayNumber(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(day);
        expect(yearOf(day)).toBe(date.getUTCFullYear());
      }),
    );
  });

  it('keep their month when moved to another year', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1000, max: 2099 }), (day, year) => {
        const moved = new Date(moveYear(day, year) * DAY_MS);
        expect(moved.getUTCFullYear()).toBe(year);
        expect(moved.getUTCMonth()).toBe(new Date(day * DAY_MS).getUTCMonth());
      }),
    );
  });
});

describe('a period', () => {
  it('has its ends in the years, months or days that it was given in', () => {
    expect(endsOf(yearStretch(1993, 2002))).toEqual({ first: yearStretch(1993), last: yearStretch(2002) });
    const months = { low: monthStretch(1993, 5).low, high: monthStretch(2002, 12).high };
    expect(endsOf(months)).toEqual({ first: monthStretch(1993, 5), last: monthStretch(2002, 12) });
    expect(endsOf({ low: 100, high: 900 })).toEqual({ first: { low: 100, high: 100 }, last: { low: 900, high: 900 } });
  });
});
