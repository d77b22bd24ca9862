/** Reads what a clause says its subject to be, as in 'is an American singer' or 'was the capital of Burma'. */
import { COPULAS, IRREGULAR_PARTICIPLES } from '../lexicon/verbs.ts';
import { wordSet } from '../lexicon/word-set.ts';
import type { Token } from './tokens.ts';

export interface Complement {
  /** Before the first preposition. */
  head: Token[];
  /** All of it. */
  whole: Token[];
  /** After 'the': there is one of it. */
  isDefinite: boolean;
}

const SKIPPED = wordSet(
  'also still currently now then once both only just originally formerly generally often usually perhaps',
);
const ENDS = wordSet(
  'in by for from with on at to about based as of that who which whose where when after before since during and/or',
);
const PARTICIPLE = /(?:ed|ing)$/;
const MAX_HEAD = 14;
const MAX_WHOLE = 24;

export function complementOf(tokens: Token[], verb: number): Complement | null {
  if (!COPULAS.has(tokens[verb]?.lower ?? '')) return null;
  let at = verb + 1;
  while (SKIPPED.has(tokens[at]?.lower ?? '')) at++;
  const first = tokens[at];
  if (first?.kind !== 'word') return null;
  const hasArticle = first.lower === 'a' || first.lower === 'an' || first.lower === 'the';
  if (!hasArticle && (PARTICIPLE.test(first.lower) || IRREGULAR_PARTICIPLES.has(first.lower))) return null;
  const whole = tokens.slice(at, at + MAX_WHOLE);
  const end = whole.findIndex(
    ({ lower, isName }, index) => !isName && (ENDS.has(lower) || (PARTICIPLE.test(lower) && index > 2)),
  );
  const head = whole.slice(0, end < 0 ? MAX_HEAD : Math.min(end, MAX_HEAD));
  return { head, whole, isDefinite: first.lower === 'the' };
}

/** Names after 'in' and 'of'. */
export function placesOf({ whole }: Complement): Token[] {
  return whole.filter(({ isName }, index) => {
    if (!isName) return false;
    for (let at = index - 1; at >= Math.max(0, index - 4); at--) {
      const { lower } = whole[at] as Token;
      if (lower === 'in' || lower === 'of') return true;
      if (lower === 'by' || lower === 'with' || lower === 'from' || lower === ',') return false;
    }
    return false;
  });
}
