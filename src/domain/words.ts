/** The words of a text by which facts are found: their stems, without regard to case, accents and marks. Pure. */
import { stem } from '../pipeline/lexicon/stem.ts';

/** Of characters: longer ones are no words, and are told apart by their beginning. */
const WORD_CHARACTERS = 40;

/** Each once, in the order of the text. Documents that speak of one fact share the stems of its words, and not the words. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => stem(shortened(word))))];
}

/** Not by UTF-16 units, which could leave half a character. */
const shortened = (word: string) =>
  word.length > WORD_CHARACTERS ? [...word].slice(0, WORD_CHARACTERS).join('') : word;
