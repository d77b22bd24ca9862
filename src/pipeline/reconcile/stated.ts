/** Tells whether a document says the same as a claim of the other one, so that what else it says is no contradiction. */
import type { Claim, QuantityClaim } from '../claim.ts';
import { normalise } from '../values/normal.ts';
import type { Quantity } from '../values/value.ts';
import { fitOf } from './overlap.ts';
import { verdictOf } from './quantities.ts';
import { isQuantity, type View } from './view.ts';

/** `fit` is how well the claim fits the one that it seems to contradict. */
export function isStated(view: View, own: View[], against: View, others: View[], fit: number): boolean {
  const { claim } = view;
  const isSharp = touches(claim, against.claim);
  let agreeing = 0;
  let equal = 0;
  return amongLike(others, claim).some((like) => {
    const other = like.claim;
    // What it is held against may overlap with it, as ranges do.
    if (like === against || agreeing >= MAX_AGREEING || !agrees(claim, other)) return false;
    agreeing++;
    const match = fitOf(view, like);
    if (match >= fit + (isLoose(claim, other) ? (isSharp ? Number.POSITIVE_INFINITY : BOUND_MARGIN) : 0)) return true;
    if (match < LOOSE * fit || !isQuantity(like) || !isEqual(claim, like.claim)) return false;
    return equal++ >= MAX_EQUAL || !isTaken(view, own, like, match);
  });
}

/** A document that says the same more often is made of repetitions. */
const MAX_AGREEING = 30;
/** Of so many equal values one is hardly another's. */
const MAX_EQUAL = 3;

/** Many figures lie within a bound: one that does must fit better than the one that does not. */
const BOUND_MARGIN = 0.3;

function isLoose(a: Claim, b: Claim): boolean {
  return (
    a.kind === 'quantity' &&
    b.kind === 'quantity' &&
    (isBound(a.value) || isBound(b.value)) &&
    verdictOf(a, b) !== 'equal'
  );
}

/** 'Less than 127' against 127 itself was said with that figure in view. */
function touches(a: Claim, b: Claim): boolean {
  if (a.kind !== 'quantity' || b.kind !== 'quantity') return false;
  const [one, other] = [a.value, b.value];
  return isBound(one) !== isBound(other) && (one.low ?? one.high) === (other.low ?? other.high);
}

const isBound = ({ low, high }: Quantity) => low === null || high === null;

/** An equal value may be put in quite other words. */
const LOOSE = 0.6;

/** The other value belongs to another claim of this side. */
function isTaken(view: View, own: View[], other: View<QuantityClaim>, match: number): boolean {
  let equal = 0;
  return amongNamed(own, other.claim).some((mine) => {
    const { claim } = mine;
    if (mine === view || equal >= MAX_AGREEING || !isEqual(claim, other.claim)) return false;
    equal++;
    return fitOf(mine, other) > match;
  });
}

const isEqual = (a: Claim, b: QuantityClaim) =>
  a.kind === 'quantity' && a.attribute === b.attribute && verdictOf(a, b) === 'equal';

/** Of two that are alike. */
function agrees(claim: Claim, other: Claim): boolean {
  if (claim.kind === 'statement') return !claim.polarity;
  if (claim.kind === 'field')
    return other.kind === 'field' && claim.value.words.every((word) => other.value.words.includes(word));
  // What began in one year of a period did not begin in another.
  if (other.kind !== 'quantity' || (claim.role === 'period') !== (other.role === 'period')) return false;
  const verdict = verdictOf(claim, other);
  return verdict === 'equal' || verdict === 'compatible';
}

/** Only claims that are alike in this may agree. */
function likeness(claim: Claim): string {
  const { kind, polarity, attribute } = claim;
  const of = claim.kind === 'quantity' ? normalise(claim.value).dimension : kind;
  const isOfAttribute = of === 'count' || of === 'field';
  return `${kind} ${polarity} ${of} ${isOfAttribute ? attribute : ''}`;
}

const amongLike = groupedBy(likeness);
const amongNamed = groupedBy(({ attribute }) => attribute);

/** Those of a document that have what another has, in their order: all would be gone through for each conflict. */
function groupedBy(nameOf: (claim: Claim) => string) {
  const groups = new WeakMap<View[], Map<string, View[]>>();
  return (claims: View[], like: Claim): View[] => {
    const known = groups.get(claims) ?? Map.groupBy(claims, ({ claim }) => nameOf(claim));
    groups.set(claims, known);
    return known.get(nameOf(like)) ?? [];
  };
}
