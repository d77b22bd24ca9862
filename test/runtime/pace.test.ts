import { describe, expect, test } from 'vitest';
import { Pace } from '../../src/runtime/pace.ts';

describe('how much is read in a turn', () => {
  const documents = [{ text: 'x'.repeat(79_500) }];

  test('is learnt from what was read', () => {
    const pace = new Pace();
    for (let n = 0; n < 100; n++) pace.learn(documents, 80);
    expect(pace.turnBytes).toBeCloseTo(40_000, -2);
  });

  test('is bounded by what Postgres hands out in that time, however little the texts say', () => {
    const pace = new Pace();
    for (let n = 0; n < 100; n++) pace.learn(documents, 1);
    expect(pace.turnBytes).toBeLessThanOrEqual(200_000);
  });
});
