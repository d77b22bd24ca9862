import { expect, it } from 'vitest';
import { percentilesOf, sumHistograms } from '../../src/domain/histogram.ts';

/** As the database puts a duration into its bucket. */
const bucketOf = (ms: number) => Math.min(107, Math.floor(4 * Math.log2(Math.max(ms, 1))));

function histogramOf(durations: number[]): number[] {
  const counts = new Array<number>(108).fill(0);
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] as number) + 1;
  return counts;
}

it('says nothing of nothing', () => {
  expect(percentilesOf([])).toEqual({ p50: null, p95: null, p99: null });
  expect(percentilesOf(new Array(108).fill(0))).toEqual({ p50: null, p95: null, p99: null });
});

it('is within a fifth of the truth', () => {
  const durations = Array.from({ length: 10_000 }, (_, n) => 1.001 ** n);
  const { p50, p95, p99 } = percentilesOf(histogramOf(durations));
  for (const [found, share] of [
    [p50, 0.5],
    [p95, 0.95],
    [p99, 0.99],
  ] as const) {
    const truth = durations[share * durations.length] as number;
    expect(found).toBeGreaterThan(truth * 0.81);
    expect(found).toBeLessThan(truth * 1.2);
  }
});

it('takes what is too long to be told apart', () => {
  expect(percentilesOf(histogramOf([1e12])).p99).toBeGreaterThan(1e8);
});

it('adds histograms of any length', () => {
  expect(sumHistograms([[1, 2], [3], []])).toEqual([4, 2]);
  expect(sumHistograms([])).toEqual([]);
});
