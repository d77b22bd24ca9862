import { expect, it } from 'vitest';
import { SlowRefusals } from '../../src/http/slow-refusals.ts';

it('holds back what loops ask for again, and answers mistakes at once as long as they are few', async () => {
  const refusals = new SlowRefusals();
  const hold = (code: Parameters<SlowRefusals['hold']>[0]) => refusals.hold(code) !== null;
  expect(['not_found', 'validation_failed', 'unavailable'].map((code) => hold(code as 'not_found'))).toEqual([
    false,
    false,
    false,
  ]);
  const mistakes = Array.from({ length: 400 }, () => hold('unauthorized'));
  expect(mistakes.slice(0, 200)).toEqual(Array(200).fill(false));
  expect(mistakes.filter(Boolean).length).toBeGreaterThan(100);
  expect(hold('too_many_requests')).toBe(true);
});

it('holds a bounded number', async () => {
  const refusals = new SlowRefusals();
  const held = Array.from({ length: 5010 }, () => refusals.hold('too_many_requests'));
  expect(held.filter((one) => one === null)).toHaveLength(10);
  await Promise.all(held);
  expect(refusals.hold('too_many_requests')).not.toBeNull();
});
