import { describe, expect, test } from 'vitest';
import { isSmallTurn, Pace } from '../../src/runtime/pace.ts';

describe('how much is read in a turn', () => {
  const documents = [{ text: 'x'.repeat(79_500) }];

  test('is learnt from what was read', () => {
    const pace = new Pace();
    for (let n = 0; n < 100; n++) pace.learn(documents, 80);
    expect(pace.full.bytes).toBeCloseTo(40_000, -2);
  });

  test('is bounded by what Postgres hands out in that time, however little the texts say', () => {
    const pace = new Pace();
    for (let n = 0; n < 100; n++) pace.learn(documents, 1);
    expect(pace.full.bytes).toBeLessThanOrEqual(200_000);
  });

  test('is a part of it while one tenant has much and another little', () => {
    const pace = new Pace();
    pace.met('ten_a', false);
    expect(pace.next).toEqual(pace.full);
    pace.met('ten_b', true);
    expect(pace.next.documents).toBeLessThan(pace.full.documents / 2);
    expect(pace.next.bytes).toBeLessThan(pace.full.bytes / 2);
  });

  test('is all of it where all have much, or all have little, whatever they had before', () => {
    const pace = new Pace();
    const isFull = (tenantId: string, hasLittle: boolean) => {
      pace.met(tenantId, hasLittle);
      return pace.next.documents === pace.full.documents;
    };
    expect(isFull('ten_a', true)).toBe(true);
    expect(isFull('ten_a', false)).toBe(true);
    expect(isFull('ten_b', false)).toBe(true);
    expect(isFull('ten_a', true)).toBe(false);
    expect(isFull('ten_b', true)).toBe(true);
  });
});

describe('a turn is small', () => {
  const full = { documents: 250, bytes: 20_000 };
  const lane = (count: number, text: string, is_cut = false) => ({ documents: Array(count).fill({ text }), is_cut });

  test('that has few documents, and all that there were', () => {
    expect(isSmallTurn([lane(1, 'x'.repeat(2000)), lane(2, 'x')], full)).toBe(true);
    expect(isSmallTurn([lane(1, 'x'.repeat(2000)), lane(2, 'x', true)], full)).toBe(false);
  });

  test('unless they are many, or long, in bytes', () => {
    expect(isSmallTurn([lane(62, 'x')], full)).toBe(true);
    expect(isSmallTurn([lane(63, 'x')], full)).toBe(false);
    expect(isSmallTurn([lane(1, 'x'.repeat(5000))], full)).toBe(true);
    expect(isSmallTurn([lane(1, '東'.repeat(1667))], full)).toBe(false);
  });
});
