/** Tells whether two documents with one title have one sentence, but for a value or a 'not': that is of one thing, whatever it names. */
import type { Claim, QuantityClaim, StatementClaim } from '../claim.ts';
import { areOpposite } from '../lexicon/antonyms.ts';
import { stem } from '../lexicon/stem.ts';
import type { Quantity } from '../values/value.ts';
import { type Comparison, compatible, incompatible } from './comparison.ts';
import { isChoosing } from './guards.ts';
import { verdictOf } from './quantities.ts';
import { denialReason, quantityReason, wordsReason } from './reasons.ts';
import type { View } from './view.ts';

/** Fewer words may stand in any two texts. */
const WORDS_LEAST = 4;
export const SAME_SENTENCE = 'the same sentence';

/** By their figures. Null where they are two sentences, or where nothing follows from it. */
export function compareSameFigures(a: View<QuantityClaim>, b: View<QuantityClaim>): Comparison | null {
  if (!haveOneTitle(a, b)) return null;
  const [one, other] = [a.claim, b.claim];
  if (one.role !== other.role || !isSame(withoutValue(one), withoutValue(other))) return null;
  const verdict = verdictOf(one, other);
  if (verdict === 'incompatible' || (verdict === 'compatible' && areTwoRanges(one, other) && areOfOneText(a, b)))
    return incompatible(SAME_SENTENCE, quantityReason(one, other));
  return verdict === 'incomparable' ? null : compatible;
}

/** 'Takes 1 to 2 weeks' and 'takes 1 to 4 weeks', 'up to 63 characters' and 'up to 37': both may hold, but not as one sentence. */
function areTwoRanges(
  { value: one, polarity }: QuantityClaim,
  { value: other, polarity: others }: QuantityClaim,
): boolean {
  const isRange = ({ low, high, approximate, dimension }: Quantity) =>
    low !== high && !approximate && dimension !== 'date';
  return polarity === others && isRange(one) && isRange(other) && (one.low !== other.low || one.high !== other.high);
}

/** The same by what they say as a whole. */
export function compareSameStatements(a: View<StatementClaim>, b: View<StatementClaim>): Comparison | null {
  if (!haveOneTitle(a, b)) return null;
  const [one, other] = [a.claim, b.claim];
  if (one.polarity === other.polarity) return compareOneWord(one, other);
  if (!isSame(withoutDenial(one), withoutDenial(other))) return null;
  const { reason, swapped } = denialReason(one.polarity ? one : other);
  return incompatible(SAME_SENTENCE, one.polarity ? { reason: swapped, swapped: reason } : { reason, swapped });
}

/** One of them begins with nothing that the other does not speak of, unlike two offers of one firm. */
const areOfOneText = (a: View, b: View) => isOpenedBy(a, b) || isOpenedBy(b, a);
const isOpenedBy = ({ context }: View, { context: other, reach }: View) =>
  [...context].every((word) => other.has(word) || reach.has(word));

/** 'Was approved' and 'was rejected', all else being the same. */
function compareOneWord(a: Claim, b: Claim): Comparison | null {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  if (one.length !== other.length || one.length < WORDS_LEAST) return null;
  const [at, ...more] = one.keys().filter((place) => one[place] !== other[place]);
  if (at === undefined || more.length > 0) return null;
  const [left, right] = [one[at] as string, other[at] as string];
  if (!areOpposite(stem(left), stem(right)) || isChoosing(stem(left))) return null;
  return incompatible(SAME_SENTENCE, wordsReason(a, [left], b, [right]));
}

const haveOneTitle = (a: View, b: View) => a.title !== '' && a.title === b.title;
const wordsOf = ({ sentence }: Claim) => sentence.toLowerCase().match(/[\p{L}\p{N}'’.-]*[\p{L}\p{N}]/gu) ?? [];
const isSame = (one: string, other: string) => one === other && one.split(' ').length >= WORDS_LEAST;
const withoutValue = ({ sentence, shown }: Claim) => sentence.replace(shown, '#');
const withoutDenial = ({ sentence }: Claim) => sentence.replace(/(?: not|n't)\b/, '');
