/** A wait with an end: what came in time, and what is said of what did not. */
import { expect, it } from 'vitest';
import { within } from '../src/within.ts';

const NEVER_MS = 60_000;

it('gives what comes in time, or its failure', async () => {
  expect(await within(NEVER_MS, Promise.resolve('here'), 'late')).toBe('here');
  await expect(within(NEVER_MS, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

it('gives up on what is late, whose failure nobody hears of', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await within(1, promise, 'late')).toBe('late');
  reject(new Error('too late to matter'));
  await new Promise(setImmediate);
});

it('leaves no timer behind', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await within(NEVER_MS, Promise.resolve(), null);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
});
