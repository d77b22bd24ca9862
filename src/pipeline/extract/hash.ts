/** Hashes short texts to whole numbers that JSON and Postgres both hold exactly. */
import { RULES } from '../claim.ts';
import { WordCache } from '../lexicon/word-cache.ts';
import type { Term } from '../term.ts';

/** A hash has 21 high bits and 32 low ones. */
export const LOW_BITS = 2 ** 32;
export const HIGH_BITS = 2 ** 21;

/** 53 bits: two rounds of 32, mixed (cyrb53). Groups and values are made of it, which those of other rules must not meet. */
export function hash53(text: string): number {
  let high = 0xdeadbeef ^ RULES;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return finish(high, low);
}

/**
 * Of two hashes, in either order. Keys are made of it: what other rules have read is never compared, and must not take the place
 * of what is.
 */
export function hashPair(one: number, other: number): number {
  const first = Math.min(one, other);
  const second = Math.max(one, other);
  let high = Math.imul((first | 0) ^ 0xdeadbeef ^ RULES, 2654435761);
  let low = Math.imul((first / LOW_BITS) ^ 0x41c6ce57, 1597334677);
  high = Math.imul(high ^ second, 2654435761) ^ low;
  low = Math.imul(low ^ (second / LOW_BITS), 1597334677) ^ high;
  return finish(high, low);
}

function finish(left: number, right: number): number {
  const high = Math.imul(left ^ (left >>> 16), 2246822507) ^ Math.imul(right ^ (right >>> 13), 3266489909);
  const low = Math.imul(right ^ (right >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return LOW_BITS * ((HIGH_BITS - 1) & low) + (high >>> 0);
}

const hashes = new WordCache(hash53);

/** The same, for words that come again and again. */
export const hashWord = (word: string) => hashes.get(word);

/** Another than that of the same digits in a name. Most figures do not come again, so that none is kept. */
export const hashFigure = (figure: string | number) => hash53(`=${figure}`);

export const hashTerm = ({ kind, word }: Term) => (kind === 'figure' ? hashFigure(word) : hashWord(word));
