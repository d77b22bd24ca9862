/** The keys of one claim: pairs of a name and what is said, as hashes, under which claims that may contradict each other meet. */
import type { Claim } from '../claim.ts';
import { aspectOf } from '../lexicon/aspects.ts';
import { isFigure, isName, isSubject, placeIn, type Term } from '../term.ts';
import { hash53, hashFigure, hashPair, hashWord } from './hash.ts';
import { areEqual } from './words.ts';

/** A word, the value, and a date. */
const LONE_TERMS = 5;
/** How many names of a claim are paired with words: with a fourth and a fifth not one more of 548 contradictions is found. */
const MAX_NAMES = 3;
const MAX_WORDS = 8;
/** A name is paired with the next ones: they may be parts of one, or of what is said of it. */
const NEIGHBOURS = 2;
/** Words are paired with words, too, as a sentence may have no name; with these many of them. */
const MAX_PAIRED = 5;

/** What the pairs of a claim are made of. */
interface Parts {
  anchors: string[];
  /** Names before the verb, where there are more anchors than are paired with words. */
  own: string[];
  words: string[];
  /** Hashes of the anchors that are paired with words. */
  names: number[];
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
  let before: Parts | null = null;
  for (const claim of claims) before = addKeys(claim, before, keys);
  return keys;
}

/** `before` are those of a claim whose keys are there already. */
function addKeys(claim: Claim, before: Parts | null, keys: number[]): Parts | null {
  if (claim.isCell) {
    addCell(claim, keys);
    return before;
  }
  const { anchors, terms } = claim;
  const own = anchors.length > MAX_NAMES ? subjectsOf(terms) : NONE;
  const words = wordsOf(terms);
  // The claims of one clause mostly differ in their attribute alone.
  const isSame = before?.anchors === anchors && areEqual(before.own, own) && areEqual(before.words, words);
  const parts = isSame ? before : { ...addPairs(namedIn(claim), own, words, keys), anchors };
  addLone(terms, keys);
  addFigure(claim, keys);
  // What only the title names is found by what it says: with each word of a long text it would crowd out the rest.
  const names = parts.names.length > 0 ? parts.names : anchors.slice(0, MAX_NAMES).map(hashWord);
  addAttribute(names, claim.attribute, keys);
  return parts;
}

/** Without the names of the title above, which stand nowhere in the sentence. */
function namedIn({ anchors, terms, rest }: Claim): string[] {
  if (terms.some(isSubject)) return anchors;
  return anchors.filter((name) => isNamed(terms, name) || isNamed(rest, name));
}

const isNamed = (terms: Term[], name: string) => terms.some((term) => term.word === name && isName(term));

/** Cells meet in their record, and a text that says the same by its name and a word of its label. */
function addCell({ anchors, terms, record }: Claim, keys: number[]): void {
  // Not from the cache: no other document has it.
  const own = hash53(record);
  keys.push(hashPair(own, own));
  const names = anchors.slice(0, MAX_NAMES).map(hashWord);
  const words = wordsOf(terms).flatMap((word) => [word, ...aspectOf(word).filter((like) => like !== word)]);
  for (const word of words.map(hashWord)) for (const name of names) keys.push(hashPair(name, word));
}

function addPairs(anchors: string[], own: string[], words: string[], keys: number[]): Parts {
  const all = anchors.map(hashWord);
  const names = all.length > MAX_NAMES ? ownFirst(all, own) : all;
  const hashes = words.map(hashWord);
  for (const name of names) for (const word of hashes) keys.push(hashPair(name, word));
  pairUp(all, all.length, NEIGHBOURS, keys);
  pairUp(hashes, Math.min(words.length, MAX_PAIRED), MAX_PAIRED, keys);
  return { anchors, own, words, names };
}

/** In 'Anna Larsen, the CEO of Cobalt, …' Cobalt is the fourth name, and the one that the office is of. */
function ownFirst(all: number[], own: string[]): number[] {
  const hashes = own.map(hashWord);
  const first = all.filter((name) => hashes.includes(name));
  for (const name of all) if (first.length < MAX_NAMES && !hashes.includes(name)) first.push(name);
  return first.slice(0, MAX_NAMES);
}

/** 'The fee is €50' has one word, which has no other to be paired with. */
function addLone(terms: Term[], keys: number[]): void {
  if (terms.length > LONE_TERMS || placeIn(terms) < 0) return;
  const others = terms.filter((term) => term.kind !== 'place' && !isFigure(term));
  const [lone] = others;
  if (!lone || others.length > 1) return;
  const word = hashWord(lone.word);
  keys.push(hashPair(word, word));
}

/** 'Under 114,000 cases' was said with '114,000 cases' in view, whatever the sentences are about. */
function addFigure(claim: Claim, keys: number[]): void {
  if (claim.kind !== 'quantity') return;
  const { attribute, value } = claim;
  if (value.dimension !== 'count' || !attribute) return;
  const figure = value.low ?? value.high ?? 0;
  if (isTelling(figure)) keys.push(hashPair(hashWord(attribute), hashFigure(figure)));
}

/** With three digits or more a figure is hardly another's by chance. */
export const isTelling = (figure: number) => figure > 100 && Number(figure.toPrecision(2)) !== figure;

const NONE: string[] = [];

function subjectsOf(terms: Term[]): string[] {
  const subjects: string[] = [];
  for (const term of terms) if (isSubject(term)) subjects.push(term.word);
  return subjects;
}

function wordsOf(terms: Term[]): string[] {
  const words: string[] = [];
  for (const { kind, word } of terms) {
    if (words.length >= MAX_WORDS) break;
    if (kind === 'word') words.push(word);
  }
  return words;
}

function addAttribute(names: number[], attribute: string, keys: number[]): void {
  if (!attribute || names.length === 0) return;
  const word = hashWord(attribute);
  for (const name of names) keys.push(hashPair(name, word));
}

/** Each of the first ones with the few that follow it. */
function pairUp(list: number[], length: number, reach: number, keys: number[]): void {
  for (let at = 0; at < length; at++)
    for (let next = at + 1; next < length && next <= at + reach; next++)
      keys.push(hashPair(list[at] as number, list[next] as number));
}
