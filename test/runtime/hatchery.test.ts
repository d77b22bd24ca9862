/** The supervisor: a worker that crashes stands up again, though not for ever; one that hangs is replaced. */
import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { Hatchery, type HatcheryAction } from '../../src/runtime/hatchery.ts';
import type { Turn, TurnTaker } from '../../src/runtime/turn.ts';
import { until } from '../support/until.ts';

const done: Turn = { documents: 1, processed: 1, failed: 0, retried: 0, superseded: 0 };
const lease = {
  scope_key: '1',
  tenant_id: 'ten_a',
  scope_id: 'a',
  generation: 1,
  holder: 'w',
  epoch: '1',
  suspects: 0,
};

/** A hatchery whose nudges come from the test. */
async function hatch(turn: (taker: TurnTaker) => Promise<Turn | 'lost' | null>, options = {}) {
  const actions: HatcheryAction[] = [];
  let serve: () => Promise<boolean> = async () => false;
  let closed = 0;
  const hatchery = new Hatchery({
    nodeId: 'node',
    workers: 2,
    stuckMs: 300,
    open: (each) => {
      serve = each;
      return { close: async () => {} };
    },
    onClosed: async () => void closed++,
    turn,
    onTurn: () => {},
    onAction: (action) => void actions.push(action),
    ...options,
  });
  await hatchery.start();
  const happened = (action: string) => actions.filter((noted) => noted.action === action).length;
  return { hatchery, nudge: () => serve(), happened, closed: () => closed };
}

it('takes a turn for each nudge, and counts', async () => {
  const { hatchery, nudge } = await hatch(async () => done);
  await Promise.all([nudge(), nudge()]);
  await nudge();
  const workers = hatchery.snapshot();
  expect(workers.map(({ state }) => state)).toEqual(['idle', 'idle']);
  expect(workers.reduce((sum, { batches }) => sum + batches, 0)).toBe(3);
});

it('has a worker that crashed stand up again, and the nudge does not fail', async () => {
  let broken = true;
  const { hatchery, nudge, happened } = await hatch(async () => {
    if (broken) throw new Error('a bug');
    return done;
  });
  expect(await nudge()).toBe(false);
  expect([happened('crashed'), happened('restarted')]).toEqual([1, 1]);
  expect(hatchery.recent.find(({ action }) => action === 'crashed')).toMatchObject({ reason: 'a bug' });
  broken = false;
  await until(
    () => hatchery.size,
    (size) => size === 2,
  );
  await nudge();
  expect(hatchery.snapshot().map(({ restarts, batches }) => [restarts, batches])).toContainEqual([1, 1]);
});

it('lets a worker that keeps crashing lie', async () => {
  const { hatchery, nudge, happened } = await hatch(
    async () => {
      throw new Error('always');
    },
    { workers: 1 },
  );
  for (let n = 1; n <= 5; n++) {
    await until(
      () => hatchery.size,
      (size) => size === 1,
    );
    await nudge();
    expect(happened('crashed')).toBe(n);
  }
  // The next one would be up after 3.2 s at most; this one is not.
  await new Promise((resolve) => setTimeout(resolve, 3500));
  expect(hatchery.size).toBe(0);
  expect(await nudge()).toBe(false);
  expect(happened('crashed')).toBe(5);
});

it('does not call it a crash that Postgres is away', async () => {
  const { happened, nudge, hatchery } = await hatch(async () => {
    throw new AppError('unavailable', 'away');
  });
  for (let n = 0; n < 10; n++) await nudge();
  expect([happened('crashed'), hatchery.size]).toEqual([0, 2]);
});

it('replaces a worker without a sign of life, and whoever nudged is free again', async () => {
  let hung = 0;
  const { nudge, happened, hatchery } = await hatch((taker) => {
    taker.onTaken([lease]);
    return hung++ === 0 ? new Promise(() => {}) : Promise.resolve(done);
  });
  expect(await nudge()).toBe(false);
  expect(happened('restarted')).toBe(1);
  expect(hatchery.snapshot().map(({ state, lane }) => [state, lane])).toEqual([
    ['idle', null],
    ['idle', null],
  ]);
});

it('leaves one alone that is slow and shows it', async () => {
  const { nudge, happened } = await hatch(async (taker) => {
    taker.onTaken([lease]);
    for (let n = 0; n < 10; n++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      taker.onProgress();
    }
    return done;
  });
  await nudge();
  expect(happened('restarted')).toBe(0);
});

it('waits for the batches of a level, and only as long as it may', async () => {
  const { promise, resolve } = Promise.withResolvers<Turn>();
  const { nudge, hatchery } = await hatch(
    (taker) => {
      taker.onTaken([lease]);
      return promise;
    },
    { stuckMs: 60_000 },
  );
  const turn = nudge();
  expect(await hatchery.drain({ tenantId: 'ten_other', scopeId: null }, 5000)).toBe(0);
  expect(await hatchery.drain({ tenantId: 'ten_a', scopeId: 'other' }, 5000)).toBe(0);
  for (const level of [
    { tenantId: null, scopeId: null },
    { tenantId: 'ten_a', scopeId: null },
    { tenantId: 'ten_a', scopeId: 'a' },
  ])
    expect(await hatchery.drain(level, 50)).toBe(1);
  const drained = hatchery.drain({ tenantId: null, scopeId: null }, 5000);
  resolve(done);
  expect([await drained, await turn]).toEqual([0, true]);
});

it('starts and stops in any order, twice too, and says so once', async () => {
  const { hatchery, happened, closed } = await hatch(async () => done);
  await Promise.all([hatchery.start(), hatchery.stop(100), hatchery.stop(100), hatchery.start(), hatchery.stop(100)]);
  expect([hatchery.isOpen, hatchery.size, closed()]).toEqual([false, 0, 2]);
  expect([happened('started'), happened('stopped')]).toEqual([4, 4]);
});
