/** What threads keep of the words of all documents: bounded in number and length, and none of the texts that they stood in. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { WordCache } from '../../../src/pipeline/lexicon/word-cache.ts';

const made: string[] = [];
const make = (word: string) => {
  made.push(word);
  return word.toUpperCase();
};

it('makes what is kept once, and of a long word each time', () => {
  const cache = new WordCache(make, { maxLength: 5 });
  expect(['words', 'words', 'longer', 'longer'].map((word) => cache.get(word))).toEqual([
    'WORDS',
    'WORDS',
    'LONGER',
    'LONGER',
  ]);
  expect(made.splice(0)).toEqual(['words', 'longer', 'longer']);
  expect(['words', 'longer', 'other'].map((word) => cache.find(word))).toEqual(['WORDS', undefined, undefined]);
});

it('starts anew when it is full', () => {
  const cache = new WordCache(make, { maxWords: 2 });
  for (const word of ['a', 'b', 'a', 'c', 'a']) cache.get(word);
  expect(made.splice(0)).toEqual(['a', 'b', 'c', 'a']);
});

it('keeps none of the texts', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const cache = new WordCache((word) => word);
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let n = 0; n < 500; n++) {
    const text = Buffer.alloc(100_000, `a word of the text ${n} `).toString();
    cache.get(text.slice(0, 40));
  }
  // The texts are 50 MB.
  expect(used() - before).toBeLessThan(10_000_000);
  expect(cache.find('a word of the text 7 a word of the text ')).toBe('a word of the text 7 a word of the text ');
});
