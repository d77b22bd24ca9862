/** Tells the figures of a change from those that hold: in 'rose by 400 from 1,900 to 2,310' only the last one does. */
import { BY_THEMSELVES, CHANGE_NOUNS, CHANGES, COMPARISONS } from '../lexicon/changes.ts';
import type { Token } from './tokens.ts';

export type Role = 'change-from' | 'change-to' | 'change-by';

/** How far back the verb may stand. */
const MAX_WORDS = 8;

/** For a phrase whose modifiers begin at `first` and whose unit ends before `next`. */
export function roleOf(tokens: Token[], first: number, next: number, hasNoun: boolean): Role | null {
  const before = tokens[first - 1]?.lower ?? '';
  if (isBefore(tokens, next, hasNoun)) return 'change-by';
  if (BY_THEMSELVES.has(before) && !(before === 'up' && tokens[first]?.lower === 'to')) return 'change-by';
  if (before !== 'by' && before !== 'from' && before !== 'to') return null;
  if (!changesBefore(tokens, first - 2)) return null;
  return before === 'by' ? 'change-by' : before === 'from' ? 'change-from' : 'change-to';
}

/** 'a 5% increase', '4 more women than men'; 'or more' and 'more than' are bounds. */
function isBefore(tokens: Token[], next: number, hasNoun: boolean): boolean {
  const after = tokens[next]?.lower ?? '';
  if (COMPARISONS.has(after)) return tokens[next + 1]?.lower !== 'or';
  if (hasNoun) return false;
  return CHANGE_NOUNS.has(after) || (CHANGE_NOUNS.has(tokens[next + 1]?.lower ?? '') && tokens[next]?.kind === 'word');
}

function changesBefore(tokens: Token[], from: number): boolean {
  for (let at = from; at >= 0 && at > from - MAX_WORDS; at--) {
    const token = tokens[at] as Token;
    if (token.text === ';' || token.text === '.') return false;
    if (CHANGES.has(token.lower)) return true;
  }
  return false;
}
