/** Places that are shared: who has most of them gives one up for who has fewer, and not the other way round. */
import { expect, it } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { Places } from '../../src/http/places.ts';

function newPlaces(most: number, mostPerTenant: number) {
  const places = new Places({ name: 'streams', most, mostPerTenant });
  const ended: string[] = [];
  const give = new Map<string, () => void>();
  return {
    places,
    ended,
    take(name: string) {
      const [tenantId = ''] = name.split(' ');
      const giveBack = places.take(tenantId, ({ code, reason }: AppError) => ended.push(`${name}: ${code} ${reason}`));
      give.set(name, giveBack);
    },
    giveBack: (name: string) => give.get(name)?.(),
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

it('are so many for each tenant, and are free again when they are given back', () => {
  const { take, giveBack, places } = newPlaces(10, 2);
  take('a 1');
  take('a 2');
  expect(refusal(() => take('a 3'))).toEqual(['too_many_requests', 'streams']);
  giveBack('a 1');
  take('a 3');
  expect(places.of('a')).toBe(2);
});

it('when all are taken, the oldest of who has most is ended for who has none', () => {
  const { take, giveBack, ended, places } = newPlaces(5, 4);
  for (const name of ['a 1', 'b 1', 'b 2', 'b 3', 'a 2']) take(name);
  take('c 1');
  expect(ended).toEqual(['b 1: unavailable streams']);
  expect(['a', 'b', 'c'].map((tenant) => places.of(tenant))).toEqual([2, 2, 1]);
  // The next one would only have more than they have.
  for (const name of ['c 2', 'b 4', 'a 3']) expect(refusal(() => take(name))).toEqual(['unavailable', 'streams']);
  take('d 1');
  expect(ended).toHaveLength(2);
  giveBack('b 1');
  giveBack('b 2');
  giveBack('c 1');
  take('b 4');
  expect(ended).toHaveLength(2);
});

it('are not taken from those who have one each', () => {
  const { take, ended } = newPlaces(3, 3);
  for (const name of ['a 1', 'b 1', 'c 1']) take(name);
  expect(refusal(() => take('d 1'))).toEqual(['unavailable', 'streams']);
  expect(ended).toEqual([]);
});

it('are not many more while those that were ended are not gone', () => {
  const { take, giveBack, ended } = newPlaces(4, 2);
  for (const name of ['a 1', 'a 2', 'b 1', 'b 2', 'c 1', 'd 1']) take(name);
  expect(ended).toHaveLength(2);
  for (const name of ['a 1', 'a 2', 'b 1', 'b 2', 'c 1', 'd 1']) giveBack(name);
  // All of it was given back, of those that were ended, too.
  for (const name of ['a 1', 'a 2', 'b 1', 'b 2', 'c 1', 'd 1']) take(name);
  expect(ended).toHaveLength(4);
  expect(refusal(() => take('e 1'))).toEqual(['unavailable', 'streams']);
});
