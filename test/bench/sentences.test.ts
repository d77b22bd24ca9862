/** The documents that the benches post. */
import { expect, it } from 'vitest';
import { type SentencesOptions, sentencesOf, take } from '../../bench/parts/sentences.ts';

const some = (options: Partial<SentencesOptions> = {}, count = 2000) =>
  take(sentencesOf({ seed: 1, scopes: 50, perScope: 40, ...options }), count);

it('are the same for the same seed, and others for another', () => {
  expect(some()).toEqual(some());
  expect(some({ seed: 2 })).not.toEqual(some());
});

it('have about 160 characters, in one sentence', () => {
  const lengths = some().map(({ text }) => text.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  expect(mean).toBeGreaterThan(150);
  expect(mean).toBeLessThan(170);
  expect(Math.min(...lengths)).toBeGreaterThan(120);
  expect(Math.max(...lengths)).toBeLessThan(200);
  for (const { text } of some({}, 50)) expect(text).toMatch(/^[A-Z][^.]*\d[^.]*\.$/);
});

it('do not come again, and go to the scopes in turn', () => {
  const sentences = some();
  expect(new Set(sentences.map(({ text }) => text)).size).toBe(sentences.length);
  expect(sentences.slice(0, 3).map(({ scope }) => scope)).toEqual([0, 1, 2]);
  expect(sentences[50]?.scope).toBe(0);
});

it('speak of a firm as often in a large scope as in a small one', () => {
  const firmsIn = (documents: number) => {
    const texts = some({ scopes: 1, perScope: documents }, documents).map(({ text }) => text);
    const names = texts.map((text) => /V[a-z]{6}n (?:[A-Z][a-z]+)/.exec(text)?.[0]);
    expect(names).not.toContain(undefined);
    return new Set(names).size;
  };
  expect(1200 / firmsIn(1200)).toBeCloseTo(12, -1);
  expect(12_000 / firmsIn(12_000)).toBeCloseTo(12, -1);
});
