/** A batch of which one row is bad is stored without it, and what cannot be stored at all is tried once. */
import { expect, it } from 'vitest';
import type { FlushResult } from '../../../src/domain/accept/flush.ts';
import { storedInParts } from '../../../src/domain/accept/stored-in-parts.ts';
import { AppError } from '../../../src/errors.ts';

const STORED: FlushResult = { outcomes: [], queued: 0, awakened: [] };

async function partsOf(batch: number[], store: (entries: number[]) => Promise<FlushResult>) {
  const parts: [number[], string][] = [];
  for await (const { entries, result } of storedInParts(batch, store))
    parts.push([entries, result instanceof AppError ? result.code : 'stored']);
  return parts;
}

const batch = [1, 2, 3, 4, 5, 6, 7, 8];

it('in one part where nothing is wrong, and in none where there is nothing', async () => {
  expect(await partsOf(batch, async () => STORED)).toEqual([[batch, 'stored']]);
  expect(await partsOf([], async () => STORED)).toEqual([]);
});

it('in halves down to the one that is bad, in their order', async () => {
  const store = async (entries: number[]) => {
    if (entries.includes(3)) throw new Error('a row that Postgres does not take');
    return STORED;
  };
  expect(await partsOf(batch, store)).toEqual([
    [[1, 2], 'stored'],
    [[3], 'internal'],
    [[4], 'stored'],
    [[5, 6, 7, 8], 'stored'],
  ]);
});

it('not in halves when nothing can be stored', async () => {
  let tries = 0;
  const store = async () => {
    tries++;
    throw new AppError('unavailable', 'Postgres is away.');
  };
  expect(await partsOf(batch, store)).toEqual([[batch, 'unavailable']]);
  expect(tries).toBe(1);
});

it('and what one part has come to is told before the next is tried', async () => {
  const told: string[] = [];
  const store = async (entries: number[]) => {
    told.push(`try ${entries}`);
    if (entries.length > 1) throw new Error('bad together');
    return STORED;
  };
  for await (const { entries } of storedInParts([1, 2], store)) told.push(`told ${entries}`);
  expect(told).toEqual(['try 1,2', 'try 1', 'told 1', 'try 2', 'told 2']);
});
