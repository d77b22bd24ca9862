/** The keys under which documents that may contradict each other meet: pairs of a name and what is said, as hashes. */
import type { Claim, ClaimSet } from '../claim.ts';
import { hashPair, hashWord } from './hash.ts';
import { bare } from './terms.ts';

export { groupsOf } from './groups.ts';

export const KEYS_MOST = 4000;
/** A word, the value, and a date. */
const LONE_TERMS = 5;
/** What terms that are no plain words begin with. */
const MARKS = new Set(['#', '=', '^', '@']);
/** How many names and words of a claim are paired. */
const NAMES_MOST = 5;
const WORDS_MOST = 8;
/** A name is paired with the next ones: they may be parts of one, or of what is said of it. */
const NEIGHBOURS = 2;
/** Words are paired with words, too, as a sentence may have no name; with these many of them. */
const PAIRED_MOST = 5;

/** The lowest of too many are kept, so that two documents keep the same ones. */
export function keysOf({ claims }: ClaimSet): number[] {
  const keys = new Set<number>();
  let before: { anchors: string[]; all: number[]; words: number[] } = { anchors: [], all: [], words: [] };
  for (const claim of claims) {
    const { anchors, attribute, terms } = claim;
    const words = wordsOf(terms);
    for (const key of loneKey(terms)) keys.add(key);
    for (const key of figureKey(claim)) keys.add(key);
    // The claims of one clause mostly differ in their attribute alone.
    const isSame = before.anchors === anchors && areEqual(before.words, words);
    const all = before.anchors === anchors ? before.all : anchors.map(hashWord);
    const names = all.slice(0, NAMES_MOST);
    for (const key of attributeKeys(names, attribute)) keys.add(key);
    if (!isSame) for (const key of pairKeys(all, names, words)) keys.add(key);
    before = { anchors, all, words };
  }
  const sorted = Float64Array.from(keys).sort();
  return Array.from(sorted.subarray(0, KEYS_MOST));
}

export function claimKeys(claim: Claim): number[] {
  const { anchors, attribute, terms } = claim;
  const all = anchors.map(hashWord);
  const names = all.slice(0, NAMES_MOST);
  return [
    ...loneKey(terms),
    ...figureKey(claim),
    ...attributeKeys(names, attribute),
    ...pairKeys(all, names, wordsOf(terms)),
  ];
}

/** 'The fee is €50' has one word, which has no other to be paired with. */
function loneKey(terms: string[]): number[] {
  if (terms.length > LONE_TERMS || !terms.includes('#')) return [];
  const words = terms.filter((term) => term !== '#' && !term.startsWith('='));
  if (words.length !== 1) return [];
  const word = hashWord(bare(words[0] as string));
  return [hashPair(word, word)];
}

/** 'Under 114,000 cases' was said with '114,000 cases' in view, whatever the sentences are about. */
function figureKey({ attribute, value }: Claim): number[] {
  if (value.type !== 'quantity' || value.dimension !== 'count' || !attribute) return [];
  const figure = value.low ?? value.high ?? 0;
  return isTelling(figure) ? [hashPair(hashWord(attribute), hashWord(`=${figure}`))] : [];
}

/** With three digits or more a figure is hardly another's by chance. */
export const isTelling = (figure: number) => figure > 100 && Number(figure.toPrecision(2)) !== figure;

function wordsOf(terms: string[]): number[] {
  const words: number[] = [];
  for (const term of terms) {
    if (words.length >= WORDS_MOST) break;
    if (!MARKS.has(term.charAt(0))) words.push(hashWord(term));
  }
  return words;
}

function attributeKeys(names: number[], attribute: string): number[] {
  if (!attribute || names.length === 0) return [];
  const word = hashWord(bare(attribute));
  return names.map((name) => hashPair(name, word));
}

function pairKeys(all: number[], names: number[], words: number[]): number[] {
  const keys: number[] = [];
  for (const name of names) for (const word of words) keys.push(hashPair(name, word));
  pairUp(all, NEIGHBOURS, keys);
  pairUp(words.slice(0, PAIRED_MOST), PAIRED_MOST, keys);
  return keys;
}

const areEqual = (one: number[], other: number[]) =>
  one.length === other.length && one.every((word, at) => word === other[at]);

/** Each with the few that follow it. */
function pairUp(list: number[], reach: number, keys: number[]): void {
  for (let at = 0; at < list.length; at++)
    for (let next = at + 1; next < list.length && next <= at + reach; next++)
      keys.push(hashPair(list[at] as number, list[next] as number));
}
