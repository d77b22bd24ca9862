/** Places that are shared: who has most of them gives one up for who has fewer, and not the other way round, nor at once. */
import { expect, it } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { Places } from '../../src/http/places.ts';

const MINUTE = 60_000;

function newPlaces(most: number, mostPerTenant: number) {
  let now = 0;
  const places = new Places({ name: 'streams', most, mostPerTenant, now: () => now });
  const ended: string[] = [];
  const give = new Map<string, () => void>();
  return {
    places,
    ended,
    wait(ms: number) {
      now += ms;
    },
    /** One whose name ends with a question mark is of who knows the tenant's id only. */
    take(...names: string[]) {
      for (const name of names) {
        const [tenantId = ''] = name.split(' ');
        const end = ({ code, reason }: AppError) => ended.push(`${name}: ${code} ${reason}`);
        give.set(name, places.take({ tenantId, hasKey: !name.endsWith('?'), end }));
      }
    },
    giveBack(...names: string[]) {
      for (const name of names) give.get(name)?.();
    },
  };
}

const refusal = (act: () => void) => {
  try {
    act();
  } catch (error) {
    const { code, reason, limit } = error as AppError;
    return [code, reason ?? limit?.name];
  }
  return null;
};
const FULL = ['unavailable', 'streams'];

it('are so many for each tenant, and are free again when they are given back', () => {
  const { take, giveBack, places } = newPlaces(10, 2);
  take('a 1', 'a 2');
  expect(refusal(() => take('a 3'))).toEqual(['too_many_requests', 'streams']);
  giveBack('a 1');
  take('a 3');
  expect(places.of('a')).toBe(2);
});

it('when all are taken, the oldest of who has most is ended for who has none', () => {
  const { take, giveBack, wait, ended, places } = newPlaces(5, 4);
  take('a 1', 'b 1', 'b 2', 'b 3', 'a 2');
  wait(MINUTE);
  take('c 1');
  expect(ended).toEqual(['b 1: unavailable streams']);
  expect(['a', 'b', 'c'].map((tenant) => places.of(tenant))).toEqual([2, 2, 1]);
  wait(MINUTE);
  // The next one would only have more than they have.
  for (const name of ['c 2', 'b 4', 'a 3']) expect(refusal(() => take(name))).toEqual(FULL);
  take('d 1');
  expect(ended).toHaveLength(2);
  giveBack('b 1', 'b 2', 'c 1');
  take('b 4');
  expect(ended).toHaveLength(2);
});

it('are not taken from those who have one each', () => {
  const { take, wait, ended } = newPlaces(3, 3);
  take('a 1', 'b 1', 'c 1');
  wait(MINUTE);
  expect(refusal(() => take('d 1'))).toEqual(FULL);
  expect(ended).toEqual([]);
});

it('are not many more while those that were ended are not gone', () => {
  const { take, giveBack, wait, ended } = newPlaces(4, 2);
  take('a 1', 'a 2', 'b 1', 'b 2');
  wait(MINUTE);
  take('c 1', 'd 1');
  expect(ended).toHaveLength(2);
  giveBack('a 1', 'a 2', 'b 1', 'b 2', 'c 1', 'd 1');
  // All of it was given back, of those that were ended, too.
  take('a 1', 'a 2', 'b 1', 'b 2');
  wait(MINUTE);
  take('c 1', 'd 1');
  expect(ended).toHaveLength(4);
  expect(refusal(() => take('e 1'))).toEqual(FULL);
});

it('are kept for a minute, whoever else needs one: what is older goes, of who has fewer', () => {
  const { take, wait, ended } = newPlaces(5, 4);
  take('a 1', 'a 2');
  wait(1000);
  take('b 1', 'b 2', 'b 3');
  wait(MINUTE - 1001);
  expect(refusal(() => take('c 1'))).toEqual(FULL);
  wait(1);
  take('c 1');
  expect(ended).toEqual(['a 1: unavailable streams']);
});

it('are given to a tenant from others once in ten seconds, however soon it gives them back', () => {
  const { take, giveBack, wait, ended } = newPlaces(6, 6);
  take('a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6');
  wait(MINUTE);
  take('b 1');
  giveBack('a 1', 'b 1');
  take('a 7');
  wait(9999);
  expect(refusal(() => take('b 2'))).toEqual(FULL);
  take('c 1');
  wait(1);
  take('b 2');
  expect(ended).toHaveLength(3);
});

it('that were opened with a key are not ended for who has none, and others of their tenant go first', () => {
  const { take, wait, ended } = newPlaces(4, 4);
  take('a 1', 'a 2', 'a 3', 'a 4');
  wait(MINUTE);
  expect(refusal(() => take('b 1?'))).toEqual(FULL);
  expect(ended).toEqual([]);
  const known = newPlaces(4, 4);
  known.take('a 1', 'a 2', 'a 3?', 'a 4?');
  known.wait(MINUTE);
  known.take('b 1?', 'c 1');
  expect(known.ended).toEqual(['a 3?: unavailable streams', 'a 4?: unavailable streams']);
});

it('are not taken by asking for them', () => {
  const { take, wait, places, ended } = newPlaces(2, 2);
  take('a 1', 'a 2');
  expect(refusal(() => places.check({ tenantId: 'b', hasKey: true }))).toEqual(FULL);
  wait(MINUTE);
  places.check({ tenantId: 'b', hasKey: true });
  expect([ended, places.of('b')]).toEqual([[], 0]);
});
