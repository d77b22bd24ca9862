/** Holds two values that have a name against each other: fields, cells of tables, and who fills a role. */
import type { Claim, Words } from '../claim.ts';
import { bare } from '../extract/terms.ts';
import { type Comparison, compatible, incomparable, incompatible } from './comparison.ts';
import { guard } from './guards.ts';
import { type Contexts, overlapOf } from './overlap.ts';
import { fieldReason } from './reasons.ts';

const MOST_LEAST = 0.8;
const LEAST_LEAST = 0.6;

export function compareFields(a: Claim, b: Claim, contexts?: Contexts): Comparison {
  const one = a.value as Words;
  const other = b.value as Words;
  if (!a.polarity || !b.polarity) return incomparable('A denied value leaves all others open.');
  if (isList(one) || isList(other)) return incomparable('There may be several.');
  if (contains(one.words, other.words) || contains(other.words, one.words)) return compatible;
  const overlap = overlapOf(a, b, contexts);
  const why = guard(a, b, overlap);
  if (why) return incomparable(why);
  if (one.words.some((word) => other.words.includes(word)) || describes(one, b) || describes(other, a))
    return incomparable('The values may be the same.');
  if (overlap.most < MOST_LEAST || overlap.least < LEAST_LEAST || overlap.shared.length < 2)
    return incomparable('They have too little in common.');
  return incompatible(fieldReason(a, b));
}

const isList = ({ text }: Words) => /[,;/]| and | & /.test(text);
const contains = (one: string[], other: string[]) => other.every((word) => one.includes(word));

/** What fills the role in one may be part of how the other describes it. */
function describes({ words }: Words, { terms }: Claim): boolean {
  const own = new Set(terms.map(bare));
  return words.some((word) => own.has(word));
}
