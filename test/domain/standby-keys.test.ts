import { describe, expect, it } from 'vitest';
import { type Standby, StandbyKeys } from '../../src/domain/standby-keys.ts';

const sha = (n: number) => Buffer.alloc(32, n);
const key = (n: number, until = Number.POSITIVE_INFINITY): Standby => ({ sha256: sha(n), until });

/** A list of Postgres, answered when the test says so. */
function watched() {
  const lists: { answer: (keys: Record<string, Standby>) => void; fail: () => void }[] = [];
  const standby = new StandbyKeys<Standby>(
    () =>
      new Promise((resolve, reject) => {
        lists.push({
          answer: (keys) => resolve(new Map(Object.entries(keys))),
          fail: () => reject(new Error('away')),
        });
      }),
  );
  const isGood = (prefix: string, n: number) => standby.find(prefix, sha(n)) !== null;
  return { standby, lists, isGood };
}

it('knows those that Postgres has listed, and takes none for another', async () => {
  const { standby, lists, isGood } = watched();
  const read = standby.read();
  lists[0]?.answer({ da_one: key(1), di_two: key(2) });
  await read;
  expect([isGood('da_one', 1), isGood('di_two', 2), isGood('da_one', 2), isGood('da_other', 1)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('keeps what it knows while Postgres is away', async () => {
  const { standby, lists, isGood } = watched();
  standby.note(['da_one'], new Map([['da_one', key(1)]]), performance.now());
  const read = standby.read();
  lists[0]?.fail();
  await expect(read).rejects.toThrow('away');
  expect(isGood('da_one', 1)).toBe(true);
});

it('holds a key until it expires, and for a day at most', () => {
  const HOUR_MS = 3_600_000;
  let now = 0;
  const standby = new StandbyKeys<Standby>(
    async () => new Map(),
    () => now,
  );
  standby.note([], new Map(Object.entries({ da_short: key(1, HOUR_MS), da_long: key(2) })), now);
  const good = () => [standby.find('da_short', sha(1)), standby.find('da_long', sha(2))].map(Boolean);
  for (const [at, expected] of [
    [HOUR_MS - 1, [true, true]],
    [HOUR_MS, [false, true]],
    [24 * HOUR_MS, [false, true]],
    [24 * HOUR_MS + 1, [false, false]],
  ] as const) {
    now = at;
    expect(good()).toEqual(expected);
  }
});

describe('a revoked key', () => {
  it('goes with the next list, and with the next answer that does not have it', async () => {
    const { standby, lists, isGood } = watched();
    standby.note([], new Map(Object.entries({ da_one: key(1), da_two: key(2) })), performance.now());
    standby.note(['da_one'], new Map(), performance.now());
    expect([isGood('da_one', 1), isGood('da_two', 2)]).toEqual([false, true]);
    await new Promise((resolve) => setImmediate(resolve));
    const read = standby.read();
    lists[0]?.answer({});
    await read;
    expect(isGood('da_two', 2)).toBe(false);
  });

  it('does not come back with an answer that was asked for before the list', async () => {
    const { standby, lists, isGood } = watched();
    const before = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    const read = standby.read();
    lists[0]?.answer({});
    await read;
    standby.note(['da_one'], new Map([['da_one', key(1)]]), before);
    expect(isGood('da_one', 1)).toBe(false);
  });

  it('is forgotten also by an answer that is on its way', async () => {
    const { standby, lists, isGood } = watched();
    const read = standby.read();
    standby.forget('da_one');
    lists[0]?.answer({ da_one: key(1) });
    await read;
    expect(isGood('da_one', 1)).toBe(false);
  });
});

it('does not lose a key that was found after the list was begun', async () => {
  const { standby, lists, isGood } = watched();
  const read = standby.read();
  await new Promise((resolve) => setImmediate(resolve));
  standby.note(['da_new'], new Map([['da_new', key(1)]]), performance.now());
  lists[0]?.answer({});
  await read;
  expect(isGood('da_new', 1)).toBe(true);
});

it('has a thousand at most', () => {
  const { standby, isGood } = watched();
  const many = Array.from({ length: 3000 }, (_, n) => [`da_${n}`, key(n % 250)] as const);
  standby.note([], new Map(many), performance.now());
  expect(many.filter(([prefix], n) => isGood(prefix, n % 250))).toHaveLength(1000);
});
