import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimSet } from '../../../src/pipeline/claim.ts';
import { claimKeys } from '../../../src/pipeline/extract/claim-keys.ts';
import { keysOf, MAX_KEYS } from '../../../src/pipeline/extract/keys.ts';
import { claimSet } from './read-claims.ts';

const ascending = (keys: Iterable<number>) => [...new Set(keys)].sort((one, other) => one - other);
const allKeys = ({ claims }: ClaimSet) => ascending(claims.flatMap(claimKeys));

/** Each row is of a firm of its own. */
function table(rows: number): string {
  const letters = (n: number) => [...`${1000 + n}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const lines = Array.from(
    { length: rows },
    (_, n) => `Zor${letters(n)} Foods of Kel${letters(n)},${103 + 7 * n},${1900 + (n % 90)}`,
  );
  return ['name,employees,founded', ...lines].join('\n');
}

describe('keys', () => {
  it('are all of them for a document of a few sentences', () => {
    const set = claimSet('Acme Robotics has 1,900 employees in 12 countries. It was founded in 1990. The fee is €50.');
    expect(keysOf(set)).toEqual(allKeys(set));
  });

  it('stay what they are as long as the rules do: documents are met under those that were stored', () => {
    expect(keysOf(claimSet('The fee is €50.'))).toEqual([5885467537622946]);
    expect(keysOf(claimSet('Acme has 1,903 employees.'))).toEqual([238861354591801, 4808052744456363]);
  });

  it('are bounded, and each claim keeps one as long as there is room', () => {
    const set = claimSet(table(900), 'csv');
    expect(allKeys(set).length).toBeGreaterThan(MAX_KEYS);
    const keys = keysOf(set);
    expect(keys).toHaveLength(MAX_KEYS);
    expect(keys).toEqual(ascending(keys));
    const kept = new Set(keys);
    for (const claim of set.claims) expect(claimKeys(claim).some((key) => kept.has(key))).toBe(true);
  });

  it('are the same whichever claim comes first', () => {
    const set = claimSet(table(400), 'csv');
    const shuffled = fc.shuffledSubarray(set.claims, { minLength: set.claims.length });
    const keys = keysOf(set);
    fc.assert(
      fc.property(shuffled, (claims) => {
        expect(keysOf({ ...set, claims })).toEqual(keys);
      }),
      { numRuns: 5 },
    );
  });
});
