/** What the bystander saw, and how it is judged: each thing that is promised can fail by itself. */
import { expect, it } from 'vitest';
import { figuresOf, medianOf } from '../../greed/figures.ts';
import { floorsOf, judge, objections, type Row } from '../../greed/judgement.ts';

const calm = { p50: 4, p99: 10, processedP95: 100, refused: {} };

function row(changes: Partial<Row> = {}): Row {
  return {
    title: '1 halves',
    backend: 'postgres',
    before: calm,
    during: { p50: 12, p99: 50, processedP95: 500, refused: {} },
    seen: { healthMs: 1000, unhealthy: 0, memoryMb: 600, ended: null },
    ordinaryMb: 300,
    bites: { batches: 1 },
    complaints: [],
    ...changes,
  };
}

const seen = row().seen;
const long = floorsOf(true);

it('has percentiles of what was accepted and processed', () => {
  const latencies = Array.from({ length: 200 }, (_, n) => 200 - n);
  const { p50, p99, processedP95 } = figuresOf({ latencies, refused: {} }, [3, 1, 2]);
  expect({ p50, p99, processedP95 }).toEqual({ p50: 101, p99: 199, processedP95: 3 });
});

it('takes what was never accepted or never processed for endless', () => {
  const never = figuresOf({ latencies: [], refused: { 503: 9 } }, []);
  expect(never).toEqual({ p50: Infinity, p99: Infinity, processedP95: Infinity, refused: { 503: 9 } });
  expect(figuresOf({ latencies: [1], refused: {} }, [1, Infinity]).processedP95).toBe(Infinity);
});

it('takes the median of each figure, and adds up what was refused', () => {
  const rounds = [
    { p50: 1, p99: 9, processedP95: 5, refused: { 503: 1 } },
    { p50: 3, p99: 7, processedP95: 4, refused: {} },
    { p50: 2, p99: 8, processedP95: Infinity, refused: { 503: 2, 0: 1 } },
  ];
  expect(medianOf(rounds)).toEqual({ p50: 2, p99: 8, processedP95: 5, refused: { 503: 3, 0: 1 } });
});

it('passes what keeps to every bound', () => {
  expect(objections(row(), long)).toEqual([]);
  expect(judge(row(), long)).toBe('passed');
});

it.each<[string, Partial<Row>, RegExp]>([
  ['p50', { during: { ...row().during, p50: 12.1 } }, /^p50 of accepting is 3\.0 times/],
  ['p99', { during: { ...row().during, p99: 51 } }, /^p99 of accepting is 5\.1 times/],
  ['time to processed', { during: { ...row().during, processedP95: Infinity } }, /^p95 of time to processed/],
  ['a refusal', { during: { ...row().during, refused: { 503: 1 } } }, /answered 503 1 times/],
  ['no answer', { during: { ...row().during, refused: { 0: 2 } } }, /not answered 2 times/],
  ['memory', { seen: { ...seen, memoryMb: 601 } }, /^memory was 2\.0 times/],
  ['late health', { seen: { ...seen, healthMs: 1001 } }, /^health answered after 1\.0 s/],
  ['bad health', { seen: { ...seen, unhealthy: 1 } }, /^health was not 200/],
  ['an end', { seen: { ...seen, ended: 'the service ended' } }, /^the service ended$/],
  ['a complaint', { complaints: ['workers crashed 2 times'] }, /^workers crashed/],
])('objects to %s', (_what, changes, words) => {
  expect(objections(row(changes), long)).toEqual([expect.stringMatching(words)]);
  expect(judge(row(changes), long)).toBe('failed');
});

it('is void when something never happened, or when there was nothing to happen', () => {
  expect(judge(row({ bites: { batches: 4, crashes: 0 } }), long)).toBe('void');
  expect(judge(row({ bites: {} }), long)).toBe('void');
});

it('does not take the noise of a short run for an attack', () => {
  const during = { p50: 14, p99: 70, processedP95: 700, refused: {} };
  expect(judge(row({ during }), long)).toBe('failed');
  expect(judge(row({ during }), floorsOf(false))).toBe('passed');
});
