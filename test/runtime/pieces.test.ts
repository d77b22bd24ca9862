/** What is sent to a thread in one piece. */
import { expect, it } from 'vitest';
import { pairsFrom } from '../../src/runtime/pieces.ts';

const LONG = 'x'.repeat(100_000);

it('a pair that does not fit leaves nothing in the piece before it', () => {
  const claims = [1, 2, 3, 4].map((number) => ({ number, text: LONG }));
  const pairs = [
    { own: 0, other: 1 },
    { own: 2, other: 3 },
  ];
  const lacking = new Set([1, 2, 3, 4]);
  expect(pairsFrom(pairs, claims, 0, lacking)).toMatchObject({
    pairs: Int32Array.of(0, 1),
    numbers: [1, 2],
    texts: [LONG, LONG],
  });
  expect(pairsFrom(pairs, claims, 1, lacking)).toMatchObject({ pairs: Int32Array.of(0, 1), numbers: [3, 4] });
});

it('the texts of what a thread has stay here, and take no room', () => {
  const claims = [1, 2, 3, 4].map((number) => ({ number, text: LONG }));
  const pairs = [1, 2, 3].map((other) => ({ own: 0, other }));
  expect(pairsFrom(pairs, claims, 0, new Set([3]))).toMatchObject({
    numbers: [1, 2, 3, 4],
    texts: [null, null, LONG, null],
  });
});
