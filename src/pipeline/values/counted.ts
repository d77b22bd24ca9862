/** Finds the noun that a number counts, with no parser: the first plural among the words that follow. */
import { ADJECTIVES, looksPlural, NEVER_COUNTED } from '../lexicon/beside-numbers.ts';
import { startsUpper, type Token } from './tokens.ts';

export interface Counted {
  noun: string;
  next: number;
}

/** '1,900 highly skilled full-time employees' */
const MAX_WORDS = 6;
const ADJECTIVE = /(?:ed|ing|al|ive|ous|ic|ly|est|ary|ful|less|able|ible|ern|ish|ese|ian|ean)$/;

/** `isOne` for a noun in the singular: after one, and after an ordinal. */
export function countedAt(tokens: Token[], at: number, isOne: boolean): Counted {
  const from = skipLinks(tokens, at);
  const isJoined = tokens[from - 1]?.text === '-';
  const words =
    isJoined && tokens[from]?.kind === 'word' && !NEVER_COUNTED.has(tokens[from].lower)
      ? [from]
      : wordsFrom(tokens, from);
  const lower = (index: number) => (tokens[index] as Token).lower;
  const plain = words.filter((index) => !describes(lower(index)));
  const plural = isOne
    ? undefined
    : words.find((index) => looksPlural(lower(index)) && tokens[index + 1]?.text !== '-');
  const head = plural ?? (isOne ? plain.at(-1) : plain[0]) ?? words.at(-1);
  return head === undefined ? { noun: '', next: at } : { noun: lower(head), next: head + 1 };
}

/** Up to a word that no noun phrase goes on with, or a name after what was none. */
function wordsFrom(tokens: Token[], from: number): number[] {
  const words: number[] = [];
  let isComplete = false;
  for (let at = from; at < tokens.length && words.length < MAX_WORDS; at++) {
    const token = tokens[at] as Token;
    if (token.kind !== 'word' || (token.glued && at === from && tokens[at - 1]?.text !== '-')) break;
    const last = endOfCompound(tokens, at);
    if (last === at && (NEVER_COUNTED.has(token.lower) || token.text.length === 1)) break;
    // 'one daughter Kristina'
    if (isComplete && startsUpper(token)) break;
    at = last;
    if (tokens[at]?.kind !== 'word') continue;
    words.push(at);
    isComplete ||= last === at && /^\p{Ll}/u.test(token.text) && !describes(token.lower);
  }
  return words;
}

/** The last part of 'full-time', 'back-to-back', 'COVID-19'. */
function endOfCompound(tokens: Token[], at: number): number {
  let last = at;
  while (
    last < at + 2 * MAX_WORDS &&
    tokens[last + 1]?.text === '-' &&
    tokens[last + 1]?.glued &&
    tokens[last + 2]?.glued
  )
    last += 2;
  return last;
}

/** 'Thousands of people', '300-seat'. */
function skipLinks(tokens: Token[], at: number): number {
  const token = tokens[at];
  if (token?.lower === 'of' && tokens[at + 1]?.lower !== 'the')
    return tokens[at - 1]?.lower.endsWith('s') ? at + 1 : at;
  return token?.text === '-' && token.glued && tokens[at + 1]?.glued ? at + 1 : at;
}

function describes(word: string): boolean {
  return ADJECTIVES.has(word) || ADJECTIVE.test(word);
}
