/** Reads an ordinal at a token: 'third', '21st', 'twenty-first'. */
import { CARDINALS, ORDINAL_ENDINGS, ORDINALS } from '../lexicon/number-words.ts';
import type { Token } from './tokens.ts';

export interface Ordinal {
  value: number;
  next: number;
}

export function ordinalAt(tokens: Token[], at: number): Ordinal | null {
  const token = tokens[at];
  if (token?.kind === 'number') {
    const ending = tokens[at + 1]?.lower ?? '';
    if (!ORDINAL_ENDINGS.has(ending) || token.value % 1 !== 0) return null;
    return { value: token.value, next: at + 2 };
  }
  if (token?.kind !== 'word') return null;
  const value = ORDINALS.get(token.lower);
  if (value !== undefined) return { value, next: at + 1 };
  const tens = CARDINALS.get(token.lower) ?? 0;
  if (tens < 20 || tokens[at + 1]?.text !== '-' || !tokens[at + 2]?.glued) return null;
  const unit = ORDINALS.get(tokens[at + 2]?.lower ?? '');
  return unit !== undefined && unit > 0 && unit < 10 ? { value: tens + unit, next: at + 3 } : null;
}
