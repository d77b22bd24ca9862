/** What is filed, and when. */
import { expect, it } from 'vitest';
import { type FiledUpTo, FilingRoom, planFiling as planned } from '../../../src/domain/settle/filing.ts';
import { ScopeIndex } from '../../../src/domain/settle/scope-index.ts';
import type { Reading } from '../../../src/storage/readings.ts';

const reading = (seq: number, keys = 30): Reading => ({
  ...{ seq, document_id: `d${seq}`, document_hash: seq, groups: [], values: [], rules: 1, sketch: null },
  keys: Array.from({ length: keys }, (_, n) => n),
});
const readings = (from: number, to: number, keys?: number) =>
  Array.from({ length: to - from }, (_, n) => reading(from + n, keys));

function indexOf(known: Reading[]): ScopeIndex {
  const index = new ScopeIndex(1);
  for (const one of known) index.add(one);
  return index;
}

/** In a turn of its own. */
const planFiling = (
  index: ScopeIndex,
  head: FiledUpTo,
  change: { added: Reading[]; leaving: Reading[] },
  keys: number,
) => planned(index, head, change, keys, new FilingRoom(change.added));

/** What is filed is filed with its keys. */
const upTo = (seq: number) => ({ filed_up_to: seq, keys_filed_up_to: seq });
const both = (file: number[], seq: number) => ({ file, file_keys: file, ...upTo(seq) });
const range = (from: number, to: number) => readings(from, to).map(({ seq }) => seq);

it('is nothing as long as all of it may stay in memory', () => {
  const filing = planFiling(indexOf(readings(0, 10)), upTo(-1), { added: readings(10, 20), leaving: [] }, 10_000);
  expect(filing).toEqual(both([], -1));
});

it('are the oldest, a piece at a time, but twice as many as came', () => {
  const index = indexOf(readings(0, 1000));
  const filing = planFiling(index, upTo(-1), { added: readings(1000, 1001), leaving: [] }, 10_000);
  expect(filing).toEqual(both(range(0, 200), 199));
  const many = planFiling(index, upTo(-1), { added: readings(1000, 1300), leaving: [] }, 10_000);
  expect(many).toEqual(both(range(0, 600), 599));
});

it('is what comes late, at once, and never what goes', () => {
  const index = indexOf(readings(10, 1000));
  const change = { added: [reading(3)], leaving: [reading(10), reading(12)] };
  const { file, filed_up_to } = planFiling(index, upTo(9), change, 10_000);
  expect(file.slice(0, 4)).toEqual([3, 11, 13, 14]);
  expect(filed_up_to).toBe(file.at(-1));
  expect(planFiling(index, upTo(9), change, 1_000_000)).toEqual(both([3], 9));
});

it('are readings without a key, too: they take memory all the same', () => {
  const { file } = planFiling(
    indexOf(readings(0, 1000, 0)),
    upTo(-1),
    { added: readings(1000, 1010, 0), leaving: [] },
    5000,
  );
  expect(file.length).toBeGreaterThan(100);
});

it('are all but some 1,000 sentences, and far fewer keys', () => {
  const index = indexOf(readings(0, 2000));
  const filing = planFiling(index, upTo(-1), { added: readings(2000, 2100), leaving: [] }, 400_000);
  expect(filing).toEqual({ file: range(0, 200), filed_up_to: 199, file_keys: [], keys_filed_up_to: -1 });
  index.fileUpTo(filing);
  expect([index.size, index.unfiledSize]).toEqual([80_000, 72_000]);
  const late = { added: [reading(150)], leaving: [] };
  expect(planFiling(index, filing, late, 400_000)).toMatchObject({
    file: expect.arrayContaining([150]),
    file_keys: [],
  });
  const keys = planFiling(index, filing, { added: [], leaving: [] }, 50_000);
  expect(keys).toMatchObject({ file_keys: range(0, 200), keys_filed_up_to: 199 });
});

it('are keys no further than what is filed', () => {
  const index = indexOf(readings(0, 5000));
  const filed = { filed_up_to: 99, keys_filed_up_to: -1 };
  index.fileUpTo(filed);
  const plan = planFiling(index, filed, { added: [], leaving: [] }, 40_000);
  expect(plan).toMatchObject({ filed_up_to: 99 + 200, keys_filed_up_to: 199, file_keys: range(0, 200) });
  index.keepLess(4000);
  const [said, keys] = [index.unfiledSize, index.size];
  expect(
    planFiling(index, { filed_up_to: 20, keys_filed_up_to: 19 }, { added: [], leaving: [] }, 400_000),
  ).toMatchObject({
    file: range(21, 221),
    file_keys: range(20, 220),
  });
  expect([index.unfiledSize, index.size]).toEqual([said, keys]);
});

it('is what is too much and some more where few may stay in memory, with keys', () => {
  const index = indexOf(readings(0, 100));
  index.keepLess(4000);
  expect(planFiling(index, upTo(-1), { added: [reading(100)], leaving: [] }, 400_000)).toEqual(both(range(0, 26), 25));
  expect(planFiling(index, upTo(-1), { added: [], leaving: [] }, 400_000)).toEqual(both([], -1));
});

it('is bounded for all lanes of a turn together, and never less than twice of what they add', () => {
  const change = { added: readings(1000, 1010), leaving: [] };
  const lanes = Array.from({ length: 100 }, () => indexOf(readings(0, 1000)));
  const plan = (room: FilingRoom) =>
    lanes.map((index) => planned(index, upTo(-1), change, 10_000, room).file.length).reduce((a, b) => a + b);
  expect(plan(new FilingRoom([]))).toBe(400);
  expect(plan(new FilingRoom(lanes.flatMap(() => change.added)))).toBe(2000);
});
