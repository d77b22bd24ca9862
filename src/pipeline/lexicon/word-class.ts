/**
 * Classes of words that rules ask for at every word of a sentence. Which of them a word is of is found once for the word, as bits
 * of one number that all its tokens carry: asking again costs less than any list or pattern.
 */
import { stem } from './stem.ts';
import { wordSet } from './word-set.ts';

/** One bit, or those of several classes for what is of any of them. */
export type WordClass = number & { readonly of: 'words' };

/** A word as a text has it, in small letters, and its stem. */
export interface Spelling {
  text: string;
  lower: string;
  stem: string;
}

/** As many bits as a number has that costs no memory of its own. */
const MAX_CLASSES = 32;

/** Classes, each with the test that says which words are of it. */
export class WordClasses {
  readonly #members: ((word: Spelling) => boolean)[] = [];

  get count(): number {
    return this.#members.length;
  }

  add(isMember: (word: Spelling) => boolean): WordClass {
    if (this.count === MAX_CLASSES) throw new Error(`there are more than ${MAX_CLASSES} classes of words`);
    return (1 << (this.#members.push(isMember) - 1)) as WordClass;
  }

  /** All that a word is of. */
  of(word: Spelling): number {
    let classes = 0;
    for (let at = 0; at < this.#members.length; at++) if (this.#members[at]?.(word)) classes |= 1 << at;
    return classes;
  }
}

/** Those of the rules, declared as their modules are loaded. Who keeps what a word is of asks for `count`: there may be more by now. */
export const CLASSES = new WordClasses();

export const classWhere = (isMember: (word: Spelling) => boolean) => CLASSES.add(isMember);

export function classOf(words: ReadonlySet<string>): WordClass {
  return classWhere(({ lower }) => words.has(lower));
}

/** The words are parted by blanks or line ends, as in `wordSet`. */
export const wordClass = (words: string) => classOf(wordSet(words));

/** Of all words that have a stem with one of these. */
export function stemClass(words: string): WordClass {
  const stems = new Set([...wordSet(words)].map(stem));
  return classWhere((word) => stems.has(word.stem));
}

export const anyOf = (...classes: WordClass[]) => classes.reduce((all, one) => all | one, 0) as WordClass;

interface Classed {
  classes: number;
}

export const isOf = (word: Classed | undefined, one: WordClass) => word !== undefined && (word.classes & one) !== 0;

export function hasAny(words: Classed[], one: WordClass): boolean {
  for (let at = 0; at < words.length; at++) if (isOf(words[at], one)) return true;
  return false;
}
