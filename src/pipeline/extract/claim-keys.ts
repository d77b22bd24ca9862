/** The keys of one claim: pairs of a name and what is said, as hashes, under which claims that may contradict each other meet. */
import type { Claim } from '../claim.ts';
import { hashPair, hashWord } from './hash.ts';
import { bare } from './terms.ts';

/** A word, the value, and a date. */
const LONE_TERMS = 5;
/** What terms that are no plain words begin with. */
const MARKS = new Set(['#', '=', '^', '@']);
/** How many names of a claim are paired with words: with a fourth and a fifth not one more of 548 contradictions is found. */
const NAMES_MOST = 3;
const WORDS_MOST = 8;
/** A name is paired with the next ones: they may be parts of one, or of what is said of it. */
const NEIGHBOURS = 2;
/** Words are paired with words, too, as a sentence may have no name; with these many of them. */
const PAIRED_MOST = 5;

/** The names and words of a claim as hashes. */
interface Hashed {
  anchors: string[];
  all: number[];
  /** Those that are paired with words. */
  names: number[];
  words: number[];
}

/** Some keys may be there more than once. */
export function claimKeys(claim: Claim): number[] {
  const keys: number[] = [];
  addKeys(claim, null, keys);
  return keys;
}

/** The keys of all of them in one list, which is what costs least. */
export function keysOfClaims(claims: Claim[]): number[] {
  const keys: number[] = [];
  let before: Hashed | null = null;
  for (const claim of claims) before = addKeys(claim, before, keys);
  return keys;
}

/** `before` are those of a claim whose keys are there already. */
function addKeys(claim: Claim, before: Hashed | null, keys: number[]): Hashed {
  const { anchors, terms } = claim;
  const isSameSentence = before?.anchors === anchors;
  const all = before && isSameSentence ? before.all : anchors.map(hashWord);
  const names = all.length <= NAMES_MOST ? all : ownFirst(all, terms);
  const words = wordsOf(terms);
  addLone(terms, keys);
  addFigure(claim, keys);
  addAttribute(names, claim.attribute, keys);
  // The claims of one clause mostly differ in their attribute alone.
  const isSame = before && isSameSentence && areEqual(before.names, names) && areEqual(before.words, words);
  if (!isSame) addPairs(all, names, words, keys);
  return { anchors, all, names, words };
}

/** In 'Anna Larsen, the CEO of Cobalt, …' Cobalt is the fourth name, and the one that the office is of. */
function ownFirst(all: number[], terms: string[]): number[] {
  const own = new Set(terms.filter((term) => term.startsWith('@')).map((term) => hashWord(bare(term))));
  const first = all.filter((name) => own.has(name)).slice(0, NAMES_MOST);
  const others = all.filter((name) => !own.has(name)).slice(0, NAMES_MOST - first.length);
  return [...first, ...others];
}

/** 'The fee is €50' has one word, which has no other to be paired with. */
function addLone(terms: string[], keys: number[]): void {
  if (terms.length > LONE_TERMS || !terms.includes('#')) return;
  const words = terms.filter((term) => term !== '#' && !term.startsWith('='));
  if (words.length !== 1) return;
  const word = hashWord(bare(words[0] as string));
  keys.push(hashPair(word, word));
}

/** 'Under 114,000 cases' was said with '114,000 cases' in view, whatever the sentences are about. */
function addFigure({ attribute, value }: Claim, keys: number[]): void {
  if (value.type !== 'quantity' || value.dimension !== 'count' || !attribute) return;
  const figure = value.low ?? value.high ?? 0;
  if (isTelling(figure)) keys.push(hashPair(hashWord(attribute), hashWord(`=${figure}`)));
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

function addAttribute(names: number[], attribute: string, keys: number[]): void {
  if (!attribute || names.length === 0) return;
  const word = hashWord(bare(attribute));
  for (const name of names) keys.push(hashPair(name, word));
}

function addPairs(all: number[], names: number[], words: number[], keys: number[]): void {
  for (const name of names) for (const word of words) keys.push(hashPair(name, word));
  pairUp(all, all.length, NEIGHBOURS, keys);
  pairUp(words, Math.min(words.length, PAIRED_MOST), PAIRED_MOST, keys);
}

function areEqual(one: number[], other: number[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Each of the first ones with the few that follow it. */
function pairUp(list: number[], length: number, reach: number, keys: number[]): void {
  for (let at = 0; at < length; at++)
    for (let next = at + 1; next < length && next <= at + reach; next++)
      keys.push(hashPair(list[at] as number, list[next] as number));
}
