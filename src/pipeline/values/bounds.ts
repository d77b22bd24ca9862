/** Finds the modifiers around a number and turns the number into the stretch that they leave. */
import { MAX_PREFIX_WORDS, MAX_SUFFIX_WORDS, type Modifier, PREFIXES, SUFFIXES } from './modifiers.ts';
import type { Token } from './tokens.ts';
import type { Quantity } from './value.ts';

export interface Modified {
  modifiers: Modifier[];
  /** The first token of the first of them. */
  first: number;
}

/** Most words end or begin none of the phrases, which saves putting them together. */
const LAST_WORDS = new Set([...PREFIXES.keys()].map((phrase) => phrase.split(' ').at(-1)?.replace('.', '') ?? ''));
const FIRST_WORDS = new Set([...SUFFIXES.keys()].map((phrase) => phrase.split(' ')[0] ?? ''));
/** How far 'just over' reaches. */
const NEAR = 0.15;
/** 'up to about an estimated 300' */
const MAX_PREFIXES = 3;

/** Not before the token `floor`, which belongs to something else. */
export function prefixesBefore(tokens: Token[], at: number, floor: number): Modified {
  const modifiers: Modifier[] = [];
  let first = at;
  while (modifiers.length < MAX_PREFIXES && canEnd(tokens[first - 1])) {
    const length = longest(first - floor, MAX_PREFIX_WORDS, (size) =>
      PREFIXES.has(phrase(tokens, first - size, first)),
    );
    if (length === 0) break;
    modifiers.unshift(PREFIXES.get(phrase(tokens, first - length, first)) as Modifier);
    first -= length;
  }
  return { modifiers, first };
}

export function suffixAt(tokens: Token[], at: number): { modifier: Modifier; next: number } | null {
  const sign = tokens[at];
  if (sign?.text === '+' && sign.glued && !(tokens[at + 1]?.glued && tokens[at + 1]?.kind === 'number'))
    return { modifier: SUFFIXES.get('or more') as Modifier, next: at + 1 };
  const hyphen = sign?.text === '-' && tokens[at + 1]?.lower === 'odd' ? 1 : 0;
  const from = at + hyphen;
  if (!FIRST_WORDS.has(tokens[from]?.lower ?? '')) return null;
  const length = longest(tokens.length - from, MAX_SUFFIX_WORDS, (size) =>
    SUFFIXES.has(phrase(tokens, from, from + size)),
  );
  // 'plus 5' adds; it bounds nothing.
  if (length === 0 || tokens[from + length]?.kind === 'number' || tokens[from + length]?.lower === 'than') return null;
  return { modifier: SUFFIXES.get(phrase(tokens, from, from + length)) as Modifier, next: from + length };
}

export function bound(quantity: Quantity, { side, strict, approximate, near }: Modifier): Quantity {
  const { low, high } = quantity;
  const changed = approximate ? { ...quantity, approximate: true } : quantity;
  if (side === 'above' && low !== null) {
    const top = near ? low + Math.abs(low) * NEAR : null;
    return { ...changed, high: top, lowOpen: strict, highOpen: false };
  }
  if (side === 'below' && high !== null) {
    const bottom = near ? high - Math.abs(high) * NEAR : null;
    return { ...changed, low: bottom, highOpen: strict, lowOpen: false };
  }
  return changed;
}

function canEnd(token: Token | undefined): boolean {
  return token !== undefined && (LAST_WORDS.has(token.lower) || token.text === '=');
}

function longest(room: number, most: number, matches: (size: number) => boolean): number {
  for (let size = Math.min(room, most); size > 0; size--) if (matches(size)) return size;
  return 0;
}

function phrase(tokens: Token[], from: number, to: number): string {
  let result = '';
  for (let at = from; at < to; at++) {
    const token = tokens[at] as Token;
    const written =
      token.kind === 'word' && token.text.endsWith('.') && token.text.length <= 3
        ? token.text.toLowerCase()
        : token.lower;
    result += result === '' || (token.kind === 'mark' && token.glued) ? written : ` ${written}`;
  }
  return result;
}
