/** Who gets a slot when there are not enough: in turn, by tenant, with room for whoever has none. */
import { expect, it } from 'vitest';
import { Slots } from '../src/slots.ts';

const never = new AbortController().signal;

/** Asks in a tenant's name; `in` says who has got one so far, in order. */
function watch(slots: Slots) {
  const got: string[] = [];
  const ask = async (tenant: string, wait: { signal?: AbortSignal; isBack?: boolean; onMoved?: () => void } = {}) => {
    await slots.take(tenant, { signal: never, ...wait });
    got.push(tenant);
  };
  const askMany = (tenant: string, n: number) => {
    for (let i = 0; i < n; i++) void ask(tenant);
  };
  return { got, ask, askMany, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

it('a tenant alone may have all of them', async () => {
  const slots = new Slots(4);
  const { got, askMany, settled } = watch(slots);
  askMany('a', 10);
  await settled();
  expect(got).toEqual(Array(4).fill('a'));
  expect(slots.waiting).toBe(6);
});

it('a tenant that is not alone leaves one, which the next that has none gets at once', async () => {
  const slots = new Slots(4);
  const { got, askMany, settled } = watch(slots);
  askMany('b', 1);
  slots.giveBack('b');
  askMany('a', 10);
  await settled();
  expect(got).toEqual(['b', 'a', 'a', 'a']);
  askMany('b', 10);
  await settled();
  expect(got.slice(4)).toEqual(['b']);
  // One after the other through that one, though 'a' gives none of its own back.
  for (let n = 0; n < 5; n++) slots.giveBack('b');
  await settled();
  expect(got.slice(4)).toEqual(Array(6).fill('b'));
});

it('who has least is next, and of several the one that was served longest ago', async () => {
  const slots = new Slots(1);
  const { got, askMany, settled } = watch(slots);
  askMany('a', 100);
  askMany('b', 2);
  askMany('c', 1);
  await settled();
  for (const expected of ['b', 'c', 'a', 'b', 'a', 'a']) {
    slots.giveBack(got.at(-1) as string);
    await settled();
    expect(got.at(-1)).toBe(expected);
  }
});

it('who comes back goes before the others of its tenant, and not before other tenants', async () => {
  const slots = new Slots(1);
  const { ask, got, settled } = watch(slots);
  const order: string[] = [];
  void ask('a');
  void ask('a').then(() => order.push('a first'));
  void ask('b').then(() => order.push('b'));
  void ask('a', { isBack: true }).then(() => order.push('a again'));
  for (let n = 0; n < 3; n++) {
    await settled();
    slots.giveBack(got.at(-1) as string);
  }
  await settled();
  expect(order).toEqual(['b', 'a again', 'a first']);
});

it('who leaves the line is not given one, and those in line hear that it moves', async () => {
  const slots = new Slots(1);
  const { ask, got, settled } = watch(slots);
  const off = new AbortController();
  let moved = 0;
  void ask('a');
  const left = ask('b', { signal: off.signal });
  void ask('c');
  void ask('c', { onMoved: () => moved++ });
  off.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  slots.giveBack('a');
  await settled();
  expect(got).toEqual(['a', 'c']);
  expect([slots.waiting, moved]).toEqual([1, 1]);
});

it('one that keeps none back gives the last to whoever waits, and to others before', async () => {
  const slots = new Slots(2, { keepsOne: false });
  const { got, askMany, settled } = watch(slots);
  askMany('b', 1);
  slots.giveBack('b');
  askMany('a', 5);
  await settled();
  expect(got).toEqual(['b', 'a', 'a']);
  askMany('b', 2);
  slots.giveBack('a');
  await settled();
  expect(got.slice(3)).toEqual(['b']);
});
