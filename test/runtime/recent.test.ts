import { expect, it } from 'vitest';
import { Recent } from '../../src/runtime/recent.ts';

it('forgets what was used longest ago when there is no more room', () => {
  const recent = new Recent<string, number>(10);
  recent.put('a', 1, 4);
  recent.put('b', 2, 4);
  expect(recent.get('a')).toBe(1);
  recent.put('c', 3, 4);
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
  expect(recent.size).toBe(8);
});

it('counts what is put again once', () => {
  const recent = new Recent<string, number>(10);
  for (let n = 0; n < 5; n++) recent.put('a', n, 4);
  expect(recent.get('a')).toBe(4);
  expect(recent.size).toBe(4);
});

it('does not keep what is larger than all of it, nor lose the rest for it', () => {
  const recent = new Recent<string, number>(10);
  recent.put('a', 1, 4);
  recent.put('b', 2, 11);
  expect(recent.get('a')).toBe(1);
  expect(recent.get('b')).toBeUndefined();
});
