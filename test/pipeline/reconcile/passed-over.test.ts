/** What is passed over without a closer look is surely nothing: sorts of claims that never exclude each other, and documents of other subjects. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/pipeline/reconcile/compare.ts';
import { sideOf } from '../../../src/pipeline/reconcile/side.ts';
import { areApart, sketchOf } from '../../../src/pipeline/reconcile/sketch.ts';
import { mayExclude } from '../../../src/pipeline/reconcile/sort.ts';
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

describe('sketches', () => {
  const word = fc.string({ minLength: 1, maxLength: 3 });
  const about = fc.record({
    subjects: fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 3 }),
    more: fc.array(word, { maxLength: 10 }),
  });
  const reachOf = ({ subjects, more }: { subjects: string[][]; more: string[] }) => [...subjects.flat(), ...more];

  it('tell two documents apart only when each subject of either has a word that the other does not speak of', () => {
    const counts = { told: 0, missed: 0, other: 0 };
    fc.assert(
      fc.property(about, about, (one, other) => {
        const isOther = (subject: string[], reach: string[]) => subject.some((name) => !reach.includes(name));
        const areApartInWords =
          one.subjects.every((subject) => isOther(subject, reachOf(other))) &&
          other.subjects.every((subject) => isOther(subject, reachOf(one)));
        const told = areApart(sketchOf(one.subjects, reachOf(one)), sketchOf(other.subjects, reachOf(other)));
        if (told) expect(areApartInWords).toBe(true);
        counts[told ? 'told' : areApartInWords ? 'missed' : 'other']++;
      }),
      { numRuns: 2000 },
    );
    expect(counts.told).toBeGreaterThan(50);
    expect(counts.other).toBeGreaterThan(50);
    // Two words may have one number.
    expect(counts.missed).toBeLessThan(counts.told / 20);
  });

  it('are of short documents that say what they are about', () => {
    const sketch = (text: string) => sideOf(claimSet(text)).sketch;
    expect(sketch('Acme employs 40 people.')).not.toBeNull();
    expect(sketch('It is so, and Acme was founded in 1990 in Rome.')).toBeNull();
    expect(sketch(Array.from({ length: 13 }, (_, n) => `Acme sold ${n + 5} boilers.`).join(' '))).toBeNull();
  });
});
