/** Finds the quantities in a sentence: amounts, dates and ordinals, from left to right and without overlap. */
import { amountPhraseAt } from './amount-phrases.ts';
import { clockAt } from './clock.ts';
import { datePhraseAt } from './date-phrases.ts';
import { endOfName } from './names.ts';
import { rankAt } from './ranks.ts';
import type { Role } from './roles.ts';
import { canStart, isPronoun, isTitle } from './starts.ts';
import { type Token, tokenise } from './tokens.ts';
import type { Quantity } from './value.ts';

export interface FoundQuantity {
  value: Quantity;
  /** The whole phrase in the text: modifiers, number and unit, not the noun that is counted. */
  start: number;
  end: number;
  /** What a plain number counts: 'employees' in '1,900 full-time employees'. */
  counted: string;
  /**
   * What it tells of: part of a change ('rose by 400 from 1,900 to 2,310'), a rate ('$3 a day'), a period from one date to
   * another; '' for a value that holds.
   */
  role: Role | 'per' | 'period' | 'from' | 'until' | '';
}

/** 'From 9:00 to 17:00' gives a beginning and an end. */
const PERIOD_ENDS = new Map(Object.entries({ from: 'from', until: 'until', till: 'until', to: 'until' } as const));

export function findQuantities(text: string): FoundQuantity[] {
  const found: FoundQuantity[] = [];
  const tokens = tokenise(text);
  /** The first token that no phrase has taken. */
  let floor = 0;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    if (!canStart(token, tokens, at)) {
      at++;
      continue;
    }
    const date = datePhraseAt(tokens, at, floor);
    if (date) {
      found.push(place(tokens, { ...date, counted: '', role: date.isPeriod ? 'period' : '' }));
      at = floor = date.next;
      continue;
    }
    const clock = clockAt(tokens, at);
    if (clock) {
      const before = tokens[at - 1]?.lower ?? '';
      found.push(place(tokens, { ...clock, first: at, counted: '', role: PERIOD_ENDS.get(before) ?? '' }));
      at = floor = clock.next;
      continue;
    }
    const rank = rankAt(tokens, at);
    if (rank) {
      if (rank.value) found.push(place(tokens, { ...rank, value: rank.value, first: at, role: '' }));
      at = floor = rank.next;
      continue;
    }
    const name = nameFrom(tokens, at, token);
    if (name > 0) {
      at = floor = name;
      continue;
    }
    const phrase = isPronoun(tokens, at) || isTitle(tokens, at) ? null : amountPhraseAt(tokens, at, floor);
    if (phrase === null) at++;
    else if (typeof phrase === 'number') at = floor = phrase;
    else {
      found.push(place(tokens, phrase));
      at = floor = phrase.next;
    }
  }
  return found;
}

/** A phone number begins with its plus. */
function nameFrom(tokens: Token[], at: number, token: Token): number {
  if (token.kind === 'number') return endOfName(tokens, at);
  return token.text === '+' ? endOfName(tokens, at + 1) : -1;
}

interface Phrase extends Pick<FoundQuantity, 'value' | 'counted' | 'role'> {
  first: number;
  next: number;
}

function place(tokens: Token[], { value, counted, role, first, next }: Phrase): FoundQuantity {
  return { value, start: (tokens[first] as Token).start, end: (tokens[next - 1] as Token).end, counted, role };
}
