/** Amounts that only say how large they are at least: 'dozens', 'hundreds of thousands of people'. */
import type { AmountPhrase } from './amount-phrases.ts';
import { countedAt } from './counted.ts';
import { VAGUE } from './number-words.ts';
import type { Token } from './tokens.ts';
import { stretchOf } from './value.ts';

export function vagueAt(tokens: Token[], at: number): AmountPhrase | null {
  let low = tens(tokens[at]);
  if (low === undefined) return null;
  let next = at + 1;
  const more = tokens[next]?.lower === 'of' ? VAGUE.get(tokens[next + 1]?.lower ?? '') : undefined;
  if (more !== undefined) {
    low *= more;
    next += 2;
  } else if (!VAGUE.has(tokens[at]?.lower ?? '')) return null;
  const { noun } = countedAt(tokens, next, false);
  const value = { ...stretchOf('count', '', [low, null], low), approximate: true };
  return { value, first: at, next, counted: noun, role: '' };
}

function tens(token: Token | undefined): number | undefined {
  return token?.lower === 'tens' ? 10 : VAGUE.get(token?.lower ?? '');
}
