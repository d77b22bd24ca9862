/** The words of names and labels, as stems. */

import { WordCache } from '../lexicon/word-cache.ts';
import { type Token, tokenise } from './tokens.ts';

const MAX_SUBJECT = 8;
const MAX_LABEL = 6;
/** Of a label that is longer, the rest is never looked at: a table may have it above each of its rows. */
const MAX_LABEL_TEXT = 200;

export function subjectStems(text: string): string[] {
  return contentStems(tokenise(text)).slice(0, MAX_SUBJECT);
}

export function contentStems(tokens: Token[]): string[] {
  const words = tokens.filter(({ kind, isContent }) => kind === 'number' || isContent);
  return [...new Set(words.map((word) => word.stem))];
}

/** The list has so many at most: a set would cost more than looking through them. */
export function addOnce(list: string[], word: string, most: number): void {
  if (list.length < most && !list.includes(word)) list.push(word);
}

export function areEqual(one: string[], other: string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** 'Reviewer 1' and 'Reviewer 2' are two labels, though their words are the same. */
export const numbersIn = (label: string) => (label.match(/\d+/g) ?? []).join(' ');

/** From 'employeeCount', 'employee_count' or 'Employee count'. */
export const labelWords = (label: string) => labels.get(label.slice(0, MAX_LABEL_TEXT));

/** A table has its labels in each of its rows. */
const labels = new WordCache(splitLabel, { maxWords: 10_000, maxLength: MAX_LABEL_TEXT });

function splitLabel(label: string): readonly string[] {
  return label
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'of' && word !== 'the')
    .slice(0, MAX_LABEL);
}
