/** Reads who or what fills a role that only one can fill, as in 'X is the capital of Y' or 'the last king was Z'. */

import { ROLES } from '../lexicon/offices.ts';
import { isFigure, type Term } from '../term.ts';
import type { Complement } from './copula.ts';
import { subjectOf } from './subject.ts';
import { termsOf } from './terms.ts';
import { type Token, textOf } from './tokens.ts';

export interface Identity {
  /** Of the role. */
  role: Term[];
  names: string[];
  text: string;
  label: string;
}

const MAX_NAMES = 6;
const LABEL_WORDS = 10;

export function identityOf(tokens: Token[], verb: number, complement: Complement): Identity | null {
  const before = tokens.slice(0, verb);
  if ((startsWithThe(before) || endsInOwn(before)) && (isUnique(before) || isOfName(before, complement)))
    return make(before, complement.head);
  if (complement.isDefinite && subjectOf(tokens).hasName && isUnique(complement.whole))
    return make(tokens.slice(verb + 1), before);
  return null;
}

function make(role: Token[], filler: Token[]): Identity | null {
  const names = filler.filter(({ isName, isContent }) => isName || isContent).map(({ stem }) => stem);
  if (names.length === 0 || names.length > MAX_NAMES || !filler.some(({ isName }) => isName)) return null;
  // None of its names is the subject.
  const terms = termsOf(role, 0, null).filter((term) => !isFigure(term));
  if (terms.length < 2) return null;
  const label = textOf(role.filter(isSpoken).slice(0, LABEL_WORDS)).replaceAll(" 's", "'s");
  return { role: terms, names, text: textOf(filler.filter(isSpoken)), label };
}

const isSpoken = ({ kind }: Token) => kind !== 'mark';

const startsWithThe = (tokens: Token[]) => tokens.find(({ kind }) => kind === 'word')?.lower === 'the';

/** "Her father's name", "Acme's currency". */
function endsInOwn(tokens: Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  return words.at(-2)?.lower === "'s" && ROLES.has(words.at(-1)?.lower ?? '');
}

/** 'The auditor of Bramwell is Hartnell': one thing of a name, and another name for it. */
function isOfName(tokens: Token[], { whole }: Complement): boolean {
  const at = tokens.findIndex(({ lower }) => lower === 'of');
  const noun = tokens[at - 1];
  if (!noun?.isContent || noun.isName || /s$/.test(noun.lower) || !tokens.slice(at).some(({ isName }) => isName))
    return false;
  return whole.every(({ isName, kind, text }) => isName || text === '.' || text === '&' || kind === 'number');
}

/** 'One of the largest' is not the only one. */
function isUnique(tokens: Token[]): boolean {
  return (
    tokens.some(({ lower }) => ROLES.has(lower)) && !tokens.some(({ lower }) => lower === 'one' || lower === 'among')
  );
}
