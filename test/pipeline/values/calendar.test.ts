import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, moveYear, yearOf } from '../../../src/pipeline/values/calendar.ts';

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
