/** The words of a clause as claims have them, each with what it is there. */
import { WordCache } from './lexicon/word-cache.ts';

export interface Term {
  /**
   * A subject is a name before the verb, and a name any other. The place is where the value of the claim stood. 'Within' is
   * where the subject is said to be one of something, as Denmark in 'is a town in Denmark'.
   */
  readonly kind: 'word' | 'subject' | 'name' | 'figure' | 'place' | 'within';
  /** Its stem, or all of it in what a subject is said to be; of a figure its value in one form, as '2019', 'mar12' or 'money<500'. */
  readonly word: string;
}

export const asWord = (word: string): Term => ({ kind: 'word', word });
export const asSubject = (word: string): Term => ({ kind: 'subject', word });
export const asName = (word: string): Term => ({ kind: 'name', word });
export const asFigure = (word: string): Term => ({ kind: 'figure', word });
export const asWithin = (word: string): Term => ({ kind: 'within', word });
export const PLACE: Term = { kind: 'place', word: '#' };

export const isSubject = ({ kind }: Term) => kind === 'subject';
/** Of the subject or any other. */
export const isName = ({ kind }: Term) => kind === 'name' || kind === 'subject';
export const isFigure = ({ kind }: Term) => kind === 'figure';
export const wordOf = ({ word }: Term) => word;
/** Those that are neither names nor figures. */
export const wordsIn = (terms: Term[]) => terms.flatMap(({ kind, word }) => (kind === 'word' ? [word] : []));
/** All but the subject; of a cell, its label. */
export const besidesSubject = (terms: Term[]) => terms.flatMap((term) => (isSubject(term) ? [] : [term.word]));
/** Where the value stands; -1 if it is not among them. */
export const placeIn = (terms: Term[]) => terms.findIndex(({ kind }) => kind === 'place');

export const isSame = (one: Term, other: Term) => one.word === other.word && one.kind === other.kind;
/** What they say is the same, wherever it stands; the figure 7 is not the 7 of 'Pump 7'. */
export const isAlike = (one: Term, other: Term) => one.word === other.word && isFigure(one) === isFigure(other);
export const includes = (terms: Term[], like: Term) => terms.some((term) => isSame(term, like));

/** Each once, in their order. They are a few dozen at most: a set would cost more than looking through them. */
export function distinct(terms: Term[]): Term[] {
  const once: Term[] = [];
  for (const term of terms) if (!includes(once, term)) once.push(term);
  return once;
}

/** What terms say, to be asked for again and again, by what is alike. */
export class TermSet {
  readonly #words = new Set<string>();
  readonly #figures = new Set<string>();

  constructor(terms: Term[]) {
    for (const { kind, word } of terms) (kind === 'figure' ? this.#figures : this.#words).add(word);
  }

  has({ kind, word }: Term): boolean {
    return (kind === 'figure' ? this.#figures : this.#words).has(word);
  }

  hasWord(word: string): boolean {
    return this.#words.has(word);
  }
}

/** As it is stored, and as the qualifiers of claims have figures. No word begins with any of these marks. */
export function writeTerm({ kind, word }: Term): string {
  switch (kind) {
    case 'subject':
      return `@${word}`;
    case 'name':
      return `^${word}`;
    case 'figure':
      return `=${word}`;
    case 'within':
      return `in:${word}`;
    default:
      return word;
  }
}

const terms = new WordCache(termOf);

/** Documents that are read again share their words. Most figures do not come again, so that none is kept. */
export const readTerm = (text: string): Term => (text.startsWith('=') ? termOf(text) : terms.get(text));

function termOf(text: string): Term {
  switch (text.charAt(0)) {
    case '@':
      return asSubject(text.slice(1));
    case '^':
      return asName(text.slice(1));
    case '=':
      return asFigure(text.slice(1));
    case '#':
      return PLACE;
    default:
      return text.startsWith('in:') ? asWithin(text.slice(3)) : asWord(text);
  }
}
