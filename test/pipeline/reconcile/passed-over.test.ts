/** What is passed over without a closer look is surely nothing: sorts of claims that never exclude each other, and words as bits. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/pipeline/reconcile/compare.ts';
import { sideOf } from '../../../src/pipeline/reconcile/side.ts';
import { mayExclude } from '../../../src/pipeline/reconcile/sort.ts';
import { addBit, BITS_SIZE, hasOther } from '../../../src/pipeline/reconcile/word-bits.ts';
import { claimSet } from '../extract/read-claims.ts';

const WRITTEN = new URL('../../../tools/eval/written/reworded-pairs.jsonl', import.meta.url);
/** Each is held against its own pair and against texts on other things. */
const NEXT = 6;

describe('two claims of other sorts', () => {
  it('never exclude each other', () => {
    const lines = readFileSync(WRITTEN, 'utf8').trim().split('\n').slice(0, 120);
    const sides = lines.flatMap((line) => {
      const { a, b, format } = JSON.parse(line);
      const type = ['prose', 'kv'].includes(format) ? 'txt' : format;
      return [sideOf(claimSet(a, type)), sideOf(claimSet(b, type))];
    });
    const counts = { left: 0, held: 0, excluding: 0 };
    for (const [place, one] of sides.entries())
      for (const other of sides.slice(place, place + NEXT))
        for (const [at, mine] of one.claims.entries())
          for (const [spot, theirs] of other.claims.entries()) {
            // Cells are held against cells by their records.
            if (mine.claim.isCell && theirs.claim.isCell) continue;
            const isExcluding = compare(mine, theirs).verdict === 'incompatible';
            const isHeld = mayExclude(one.sorts[at] as number, other.sorts[spot] as number);
            counts[isHeld ? 'held' : 'left']++;
            if (!isExcluding) continue;
            counts.excluding++;
            expect(isHeld, `${mine.claim.sentence} | ${theirs.claim.sentence}`).toBe(true);
          }
    expect(counts.excluding).toBeGreaterThan(20);
    // Or nothing would be gained.
    expect(counts.left).toBeGreaterThan(1000);
  });
});

describe('words as bits', () => {
  const bitsOf = (words: string[]) => {
    const bits = new Array<number>(BITS_SIZE).fill(0);
    for (const word of words) addBit(bits, 0, word);
    return bits;
  };

  it('never say of words that are all in a set that one is not', () => {
    const words = fc.array(fc.string(), { maxLength: 40 });
    fc.assert(
      fc.property(words, words, (some, more) => {
        expect(hasOther(bitsOf(some), 0, bitsOf([...more, ...some]))).toBe(false);
      }),
    );
  });
});
