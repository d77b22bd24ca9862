/** Offices and the like that one holds at a time, each under one name however it is put. */
import { OFFICES } from '../lexicon/offices.ts';
import { classOf, isOf } from '../lexicon/word-class.ts';
import type { Token } from './tokens.ts';

/** There may be several of these unless a 'the' says otherwise. */
const PLAIN = new Set(['manager', 'director', 'captain', 'president', 'principal', 'leader']);

const byPhrase = new Map<string, string>();
for (const line of OFFICES.trim().split('\n')) {
  const phrases = line.split('|');
  for (const phrase of phrases) byPhrase.set(phrase, (phrases[0] as string).replaceAll(' ', '-'));
}
const names = new Set(byPhrase.values());
const FIRST_WORD = classOf(new Set([...byPhrase.keys()].map((phrase) => phrase.split(' ', 1)[0] as string)));
const MAX_WORDS = 3;

export interface Office {
  name: string;
  /** Without 'the' it may be one of several. */
  needsThe: boolean;
  /** The first token after it. */
  next: number;
}

export function officeAt(tokens: Token[], at: number): Office | null {
  if (!isOf(tokens[at], FIRST_WORD)) return null;
  for (let size = MAX_WORDS; size > 0; size--) {
    const words = tokens.slice(at, at + size).map(({ lower }) => lower);
    const name = words.length === size ? byPhrase.get(words.join(' ')) : undefined;
    if (name) return { name, needsThe: PLAIN.has(name), next: at + size };
  }
  return null;
}

/** Of the words of a label; '' if it names none. */
export const officeOf = (words: readonly string[]) => byPhrase.get(words.join(' ')) ?? '';

export const isOffice = (attribute: string) => names.has(attribute);
