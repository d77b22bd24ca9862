/** What the benches make of their measurements. */
import { expect, it } from 'vitest';
import { parseStat } from '../../bench/parts/proc.ts';
import { median, medianRatio, quantile } from '../../bench/parts/statistics.ts';

it('takes the middle one, in any order', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([10, 9, 100])).toBe(10);
});

it('takes the smallest value that a share does not exceed', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect([0, 0.5, 0.95, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 50, 95, 99, 100]);
  expect(quantile([7], 0.99)).toBe(7);
  expect(quantile([], 0.5)).toBeNaN();
});

it('compares round by round, so that a machine that slows down slows both', () => {
  expect(medianRatio([100, 50, 10], [200, 100, 20])).toBe(0.5);
});

it('reads what Linux tells of a process, whatever its name is', () => {
  const line = '42 (a) b (c d) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 300 100 20 0 1 0 5 6 7';
  expect(parseStat(line)).toEqual({ parent: 7, cpuS: 2, endedChildrenS: 4 });
});
