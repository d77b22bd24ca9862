/** Ids of facts lead back to their groups, and sort as these do. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimIdOf, factIdOf, groupOfFact } from '../../src/domain/derived-ids.ts';

const group = fc.maxSafeNat();

it('leads from a fact to its group and back', () => {
  fc.assert(fc.property(group, (one) => groupOfFact(factIdOf(one)) === one));
  expect(factIdOf(Number.MAX_SAFE_INTEGER)).toBe('fact_7zzzzzzzzzz');
});

it('sorts as groups do', () => {
  fc.assert(fc.property(group, group, (one, other) => factIdOf(one) < factIdOf(other) === one < other));
});

it.each([
  '',
  'fact_',
  'fact_8zzzzzzzzzz',
  'fact_0k2m9qv0x4',
  'fact_0k2m9qv0x4u',
  'FACT_0k2m9qv0x4c',
  'clm_0k2m9qv0x4cb',
])('takes no group from %j', (text) => {
  expect(groupOfFact(text)).toBeNull();
});

it('tells claims of two documents apart', () => {
  expect(claimIdOf(1, 2)).not.toBe(claimIdOf(2, 1));
  expect(claimIdOf(1, 2)).toMatch(/^clm_[0-9a-z]{22}$/);
});
