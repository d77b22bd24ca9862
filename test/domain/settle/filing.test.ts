/** What is filed, and when. */
import { expect, it } from 'vitest';
import { planFiling } from '../../../src/domain/settle/filing.ts';
import { ScopeIndex } from '../../../src/domain/settle/scope-index.ts';
import type { Reading } from '../../../src/storage/readings.ts';

const reading = (seq: number, keys = 30): Reading => ({
  ...{ seq, document_id: `d${seq}`, document_hash: seq, groups: [], values: [], rules: 1 },
  keys: Array.from({ length: keys }, (_, n) => n),
});
const readings = (from: number, to: number, keys?: number) =>
  Array.from({ length: to - from }, (_, n) => reading(from + n, keys));

function indexOf(known: Reading[]): ScopeIndex {
  const index = new ScopeIndex(1);
  for (const one of known) index.add(one);
  return index;
}

const range = (from: number, to: number) => readings(from, to).map(({ seq }) => seq);

it('is nothing as long as all of it may stay in memory', () => {
  const filing = planFiling(indexOf(readings(0, 10)), -1, { added: readings(10, 20), leaving: [] }, 10_000);
  expect(filing).toEqual({ file: [], filed_up_to: -1 });
});

it('are the oldest, a piece at a time, but no fewer than came', () => {
  const index = indexOf(readings(0, 1000));
  const filing = planFiling(index, -1, { added: readings(1000, 1001), leaving: [] }, 10_000);
  expect(filing).toEqual({ file: range(0, 200), filed_up_to: 199 });
  const many = planFiling(index, -1, { added: readings(1000, 2000), leaving: [] }, 10_000);
  expect(many).toEqual({ file: range(0, 1000), filed_up_to: 999 });
});

it('is what comes late, at once, and never what goes', () => {
  const index = indexOf(readings(10, 1000));
  const change = { added: [reading(3)], leaving: [reading(10), reading(12)] };
  const { file, filed_up_to } = planFiling(index, 9, change, 10_000);
  expect(file.slice(0, 4)).toEqual([3, 11, 13, 14]);
  expect(filed_up_to).toBe(file.at(-1));
  expect(planFiling(index, 9, change, 1_000_000)).toEqual({ file: [3], filed_up_to: 9 });
});

it('are readings without a key, too: they take memory all the same', () => {
  const { file } = planFiling(indexOf(readings(0, 1000, 0)), -1, { added: readings(1000, 1010, 0), leaving: [] }, 5000);
  expect(file.length).toBeGreaterThan(100);
});
