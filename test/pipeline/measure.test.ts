import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  convergenceDimensions,
  judge,
  measure,
  type Point,
  pressure,
  type ScopeCounts,
  type Weights,
} from '../../src/pipeline/measure.ts';

const weights: Weights = { agreement: 0.55, coverage: 0.25, stability: 0.15, corroboration: 0.05 };
const nothing: ScopeCounts = {
  groups: 0,
  shared: 0,
  disputed: 0,
  changed: 0,
  processed: 0,
  expected: 0,
  critical: 0,
};

/** Points of which only the score or the disagreement matters. */
const point = (score: number, disagreement: number): Point => ({
  agreement: 1,
  coverage: 1,
  stability: 1,
  corroboration: 1,
  score,
  disagreement,
});
const ofScores = (...scores: number[]) => scores.map((score) => point(score, 0.1));
const ofDisagreements = (...values: number[]) => values.map((value) => point(0.5, value));
const some = { groups: 3, critical: 0 };

/** Counts as they can be: disputed groups are shared ones, and so on. */
const anyCounts = fc
  .record({
    groups: fc.nat(1000),
    shared: fc.nat(1000),
    disputed: fc.nat(1000),
    changed: fc.nat(1000),
    processed: fc.nat(1000),
    expected: fc.nat(1000),
    critical: fc.nat(3),
  })
  .map((counts): ScopeCounts => {
    const shared = Math.min(counts.shared, counts.groups);
    return {
      ...counts,
      shared,
      disputed: Math.min(counts.disputed, shared),
      changed: Math.min(counts.changed, counts.groups),
      processed: Math.min(counts.processed, counts.expected),
    };
  });
const anyWeights = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.nat(100), fc.nat(100), fc.nat(100))
  .map(([agreement, coverage, stability, corroboration]): Weights => {
    const whole = agreement + coverage + stability + corroboration;
    return {
      agreement: agreement / whole,
      coverage: coverage / whole,
      stability: stability / whole,
      corroboration: corroboration / whole,
    };
  });
const anyPoints = fc.array(
  fc.tuple(anyCounts, anyWeights).map(([counts, of]) => measure(counts, of)),
  { maxLength: 8 },
);

describe('measure', () => {
  it.each<[string, Partial<ScopeCounts>, Omit<Point, 'score' | 'disagreement'>, number, number]>([
    ['nothing at all', {}, { agreement: 1, coverage: 1, stability: 1, corroboration: 1 }, 1, 0],
    [
      'one document that says ten things',
      { groups: 10, processed: 1, expected: 1 },
      { agreement: 1, coverage: 1, stability: 1, corroboration: 0 },
      0.95,
      0.05,
    ],
    [
      'one of four shared groups disputed',
      { groups: 8, shared: 4, disputed: 1, changed: 2, processed: 3, expected: 4 },
      { agreement: 0.75, coverage: 0.75, stability: 0.75, corroboration: 0.5 },
      // 0.4125 + 0.1875 + 0.1125 + 0.025; (0.55 + 0.25 + 0.15) · 0.0625 + 0.05 · 0.25
      0.7375,
      0.071875,
    ],
    [
      'all of it disputed, and nothing processed',
      { groups: 2, shared: 2, disputed: 2, changed: 2, expected: 5 },
      { agreement: 0, coverage: 0, stability: 0, corroboration: 1 },
      0.05,
      0.95,
    ],
    [
      'documents on their way, none read',
      { expected: 4 },
      { agreement: 1, coverage: 0, stability: 1, corroboration: 1 },
      0.75,
      0.25,
    ],
    [
      'counts that ran ahead of each other',
      { groups: 2, shared: 3, disputed: 4, changed: 5, processed: 7, expected: 6 },
      { agreement: 0, coverage: 1, stability: 0, corroboration: 1 },
      0.3,
      0.7,
    ],
    [
      'counts below nothing',
      { groups: 2, shared: 1, disputed: -1, changed: -2, processed: 1, expected: -1 },
      { agreement: 1, coverage: 1, stability: 1, corroboration: 0.5 },
      0.975,
      0.0125,
    ],
  ])('%s', (_, counts, scores, score, disagreement) => {
    const found = measure({ ...nothing, ...counts }, weights);
    expect(found).toMatchObject(scores);
    expect(found.score).toBeCloseTo(score, 12);
    expect(found.disagreement).toBeCloseTo(disagreement, 12);
  });

  it('keeps everything between 0 and 1, and the score is the weighted sum', () => {
    fc.assert(
      fc.property(anyCounts, anyWeights, (counts, any) => {
        const found = measure(counts, any);
        for (const value of Object.values(found)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(found.score).toBeLessThanOrEqual(1);
        expect(found.score).toBeCloseTo(
          convergenceDimensions.reduce((sum, dimension) => sum + any[dimension] * found[dimension], 0),
          12,
        );
      }),
    );
  });

  it('says less agreement for each further dispute, and is moved by it in nothing else', () => {
    fc.assert(
      fc.property(anyCounts, anyWeights, (counts, any) => {
        fc.pre(counts.disputed < counts.shared);
        const before = measure(counts, any);
        const after = measure({ ...counts, disputed: counts.disputed + 1 }, any);
        expect(after.agreement).toBeLessThan(before.agreement);
        expect(after.score).toBeLessThan(before.score);
        expect(after.disagreement).toBeGreaterThan(before.disagreement);
        const { coverage, stability, corroboration } = before;
        expect(after).toMatchObject({ coverage, stability, corroboration });
      }),
    );
  });
});

describe('pressure', () => {
  it('is what each dimension takes from the score', () => {
    const found = pressure(
      measure({ ...nothing, groups: 8, shared: 4, disputed: 1, processed: 3, expected: 4 }, weights),
      weights,
    );
    expect(found.agreement).toBeCloseTo(0.1375, 12);
    expect(found.coverage).toBeCloseTo(0.0625, 12);
    expect(found.stability).toBe(0);
    expect(found.corroboration).toBeCloseTo(0.025, 12);
  });

  it('is all that the score lacks', () => {
    fc.assert(
      fc.property(anyCounts, anyWeights, (counts, any) => {
        const found = measure(counts, any);
        const all = Object.values(pressure(found, any)).reduce((sum, part) => sum + part, 0);
        expect(all).toBeCloseTo(1 - found.score, 12);
      }),
    );
  });
});

describe('the rate', () => {
  it.each<[string, number[], number | null]>([
    ['no point', [], null],
    ['one point', [0.1], null],
    ['halving', [0.4, 0.2], Math.LN2],
    ['doubling', [0.1, 0.2, 0.4], -Math.LN2],
    ['no change', [0.1, 0.1, 0.1], 0],
    ['a mean of steps', [0.4, 0.2, 0.2], Math.LN2 / 2],
    ['the last five points, which are four steps', [0.9, 0.8, 0.4, 0.4, 0.2, 0.1], (3 * Math.LN2) / 4],
    ['nothing left to disagree on', [0, 0], 0],
    ['down to the floor', [1e-3, 0], Math.log(1000)],
  ])('%s', (_, values, rate) => {
    const found = judge(ofDisagreements(...values), some).rate;
    if (rate === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(rate, 12);
  });
});

describe('batches to go', () => {
  it.each<[string, number[], number | null]>([
    ['no point', [], null],
    ['one point, far away', [0.1], null],
    ['one point, there already', [0.005], 0],
    ['there, though it gets worse', [0.001, 0.005], 0],
    ['three more halvings', [0.08, 0.04], 3],
    ['three more thirds, which come out at 3.0000000000000004', [0.405, 0.135], 3],
    ['three and a bit', [0.0802, 0.0401], 4],
    ['just about there', [0.01, 0.0050001], 1],
    ['standing still', [0.1, 0.1], null],
    ['getting worse', [0.1, 0.2], null],
    ['too slow to say', [0.1, 0.1 * Math.exp(-0.001)], null],
    // ln(0.9 / 0.005) is 5.193.
    ['at 0.0055 a step', [0.9 * Math.exp(0.0055), 0.9], 945],
    ['past a thousand', [0.9 * Math.exp(0.005), 0.9], null],
  ])('%s', (_, values, batches) => {
    expect(judge(ofDisagreements(...values), some).batches_to_go).toBe(batches);
  });
});

describe('the status', () => {
  it.each<[string, string, Point[], Partial<ScopeCounts>]>([
    ['empty', 'no groups, whatever the score', ofScores(1, 1, 1), { groups: 0 }],
    ['empty', 'nothing yet', [], { groups: 0 }],
    ['empty', 'no groups, and critical contradictions that were reported', ofScores(1), { groups: 0, critical: 1 }],
    ['converging', 'no point yet', [], {}],
    ['converged', 'the first point', ofScores(0.95), {}],
    ['converged', 'at the threshold', ofScores(0.92), {}],
    ['converging', 'below it', ofScores(0.9199), {}],
    ['converging', 'a critical contradiction', ofScores(0.95), { critical: 1 }],
    ['converged', 'rising', ofScores(0.2, 0.93, 0.94), {}],
    ['converging', 'a decrease at the last point', ofScores(0.97, 0.98, 0.95), {}],
    ['converging', 'a decrease at the point before', ofScores(0.98, 0.95, 0.96), {}],
    ['converged', 'a decrease longer ago', ofScores(0.98, 0.95, 0.96, 0.97), {}],
    ['converged', 'no decrease but in the last digits', ofScores(0.95 + 1e-15, 0.95), {}],
    ['converging', 'one point worse than the one before', ofDisagreements(0.1, 0.2), {}],
    ['diverging', 'three points, each worse', ofDisagreements(0.1, 0.11, 0.12), {}],
    ['diverging', 'worse on the whole', ofDisagreements(0.1, 0.3, 0.2), {}],
    ['converging', 'better on the whole', ofDisagreements(0.3, 0.1, 0.12), {}],
    ['converging', 'three points alike', ofDisagreements(0.1, 0.1, 0.1), {}],
    ['plateaued', 'three points that are no better than the ones before', ofDisagreements(0.1, 0.1, 0.1, 0.1), {}],
    ['plateaued', 'a little better each time', ofDisagreements(0.1, 0.0995, 0.099, 0.0985), {}],
    ['plateaued', 'a little worse each time', ofDisagreements(0.1, 0.101, 0.102, 0.103), {}],
    ['plateaued', 'progress that was long ago', ofDisagreements(0.9, 0.1, 0.1, 0.1, 0.1), {}],
    ['converging', 'progress three points ago', ofDisagreements(0.9, 0.1, 0.1, 0.1), {}],
    ['converging', '1% each time', ofDisagreements(0.1, 0.0989, 0.0978, 0.0967), {}],
    ['plateaued', 'nothing left but a critical contradiction', [0, 0, 0, 0].map(() => point(1, 0)), { critical: 1 }],
  ])('%s: %s', (status, _, points, counts) => {
    expect(judge(points, { ...some, ...counts }).status).toBe(status);
  });

  it('is the first that fits', () => {
    const worseButGood = [0.01, 0.02, 0.04].map((disagreement) => point(0.95, disagreement));
    expect(judge(worseButGood, { groups: 0, critical: 0 }).status).toBe('empty');
    expect(judge(worseButGood, { groups: 1, critical: 0 }).status).toBe('converged');
    expect(judge(worseButGood, { groups: 1, critical: 1 }).status).toBe('diverging');
    // Each of the last three is no progress; the loss decides.
    expect(judge(ofDisagreements(0.1, 0.2, 0.4, 0.8), some).status).toBe('diverging');
  });

  it('holds what it promises, for any points', () => {
    fc.assert(
      fc.property(anyPoints, fc.nat(2), fc.nat(1), (points, groups, critical) => {
        const { status, rate, batches_to_go } = judge(points, { groups, critical });
        const last = points.at(-1);
        expect(status === 'empty').toBe(groups === 0);
        if (status === 'converged') {
          expect(critical).toBe(0);
          expect(last?.score).toBeGreaterThanOrEqual(0.92 - 1e-9);
        }
        if (status === 'diverging') expect(rate).toBeLessThan(-0.05);
        expect(rate === null).toBe(points.length < 2);
        if (batches_to_go === 0) expect(last?.disagreement).toBeLessThanOrEqual(0.005);
        else if (batches_to_go !== null) {
          expect(batches_to_go).toBeLessThanOrEqual(1000);
          expect(rate).toBeGreaterThan(0.001);
        }
        expect(judge(points.slice(-5), { groups, critical })).toEqual({ status, rate, batches_to_go });
      }),
    );
  });
});
