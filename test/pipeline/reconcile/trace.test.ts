/** Comparing tells of each pair of claims once, and what it tells is what it does. */
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import type { Held } from '../../../src/pipeline/reconcile/trace.ts';
import { Chance } from '../../../storm/chance.ts';
import { generateRecords } from '../../../tools/eval/records/generate.ts';
import { claimSet } from '../extract/read-claims.ts';

function toldOf(a: ReturnType<typeof claimSet>, b: ReturnType<typeof claimSet>) {
  const pairs: Held[] = [];
  const whole: string[] = [];
  const found = reconcile(a, b, { pair: (held) => pairs.push(held), whole: (why) => whole.push(why) });
  return { found, pairs, whole };
}

const namesOf = (pairs: { a: number; b: number }[]) => pairs.map(({ a, b }) => `${a} ${b}`).sort();

describe('what comparing tells', () => {
  it('is what it finds, each pair once, from either side', () => {
    const { documents } = generateRecords(new Chance(3));
    const sets = documents.map(({ text, type }) => claimSet(text, type));
    let all = 0;
    for (const [place, set] of sets.entries())
      for (const other of sets.slice(place + 1, place + 6)) {
        const { found, pairs, whole } = toldOf(set, other);
        expect(found).toEqual(reconcile(set, other));
        expect(namesOf(pairs.filter(({ outcome }) => outcome === 'found'))).toEqual(namesOf(found));
        expect(new Set(namesOf(pairs)).size).toBe(pairs.length);
        const turned = toldOf(other, set);
        expect(namesOf(turned.pairs.map(({ a, b }) => ({ a: b, b: a })))).toEqual(namesOf(pairs));
        expect(turned.whole).toEqual(whole);
        all += found.length;
      }
    expect(all).toBeGreaterThan(2);
  });

  it.each([
    ['another time', 'In 2020, Acme had 12 plants.', 'In 2023, Acme had 30 plants.', 'They speak of different times.'],
    [
      'what the other says, too',
      'Acme has 12 plants. It is old.',
      'Acme has 12 plants. Later Acme has 30 plants. It is old.',
      'The other document says it, too, in the same words.',
    ],
  ])('names the guard that kept two apart: %s', (_, a, b, why) => {
    const { found, pairs } = toldOf(claimSet(a), claimSet(b));
    expect(found).toEqual([]);
    expect(pairs.map((pair) => pair.why)).toContain(why);
  });

  it('names what keeps two documents apart as a whole', () => {
    const { pairs, whole } = toldOf(claimSet('Acme has 12 plants.'), claimSet('Bolt has 30 plants.'));
    expect([pairs, whole]).toEqual([[], ['The documents are about different subjects.']]);
  });
});
