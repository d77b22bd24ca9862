/** Holds a denial, which is the first of the two, against a statement: they exclude each other when the statement says all that is denied. */
import type { Claim, StatementClaim } from '../claim.ts';
import { stem } from '../lexicon/stem.ts';
import { distinct, includes, isFigure, isName, isSubject, type Term, TermSet } from '../term.ts';
import { type Comparison, incomparable, incompatible } from './comparison.ts';
import { guarded } from './guards.ts';
import { shareOf } from './overlap.ts';
import { denialReason } from './reasons.ts';
import type { View } from './view.ts';

/** Share of the words denied that the other side must have. */
const SCOPE_LEAST = 0.6;
/** A denial of more is a list, or no sentence. */
const MAX_SCOPE = 14;
/** Share of the words of either side that the other must have in a long document. */
const LEAST_OF_MANY = 0.5;
const ENDED = /[.!]["'”’)\]]?(?:\[\d+\])*$/;
const WHOLE_LEAST = 3;
/** So few words say one thing. */
const SHORT = 5;

export function compareDenial(a: View<StatementClaim>, b: View<StatementClaim>): Comparison {
  const overlap = guarded(a, b);
  if (typeof overlap === 'string') return incomparable(overlap);
  // Among many sentences some are alike by chance.
  if ((a.isOfMany || b.isOfMany) && !isOfOne(a, b))
    return incomparable('Each speaks of something that the other does not.');
  const [denied, said] = [a.claim, b.claim];
  const scope = scopeOf(denied);
  const known = new TermSet(said.terms);
  const found = scope.filter((term) => known.has(term));
  if (
    found.length === 0 ||
    scope.length > MAX_SCOPE ||
    !(isWithin(scope, found, known) || isAround(denied, said, scope, found, known))
  )
    return incomparable('The denial is of something else.');
  // 'Is not a town' is denied by 'is a town', not by any mention of a town.
  if (scope.length === 1 && !saysAsSuch(said, found[0] as Term))
    return incomparable('The denial is of something else.');
  // A pronoun that nothing resolves may stand for any name.
  const isOpen =
    said.isOpen ||
    denied.isOpen ||
    (b.subject.length === 0 && !said.anchors.some((anchor) => denied.anchors.includes(anchor)));
  // 'A mint stamp is not hinged' and 'a mint stamp can be hinged' share every word.
  const isWhole = overlap.least === 1 && overlap.shared.length >= WHOLE_LEAST;
  const isTold = found.some(isName) || isWhole || (found.length > 1 && overlap.most === 1);
  if (isOpen && !isTold) return incomparable('They have too little in common.');
  const { subject } = a;
  if (!isOpen && subject.length > 0 && !subject.some((name) => known.hasWord(name)))
    return incomparable('They are about different things.');
  if (subject.length === 0 && haveOtherHeads(a, said, scope, known))
    return incomparable('They are about different things.');
  return incompatible('denial', denialReason(said));
}

/**
 * All that one speaks of, and most of what the other does, they share; what the documents are about does not count. And
 * both are sentences: an item of a list, or the text of a link, says nothing.
 */
function isOfOne(a: View, b: View): boolean {
  if (!ENDED.test(a.claim.sentence) || !ENDED.test(b.claim.sentence) || b.claim.attribute === '') return false;
  const [one, other] = [shareOf(a, b), shareOf(b, a)];
  return Math.max(one, other) === 1 && Math.min(one, other) >= LEAST_OF_MANY;
}

/** 'No part in' and 'no role in' deny whatever was done there. */
const LIGHT = new Set('part role involvement hand share connection tie link say'.split(' ').map(stem));

/** What is denied; of nothing but light words and names, the names. */
function scopeOf({ value }: StatementClaim): Term[] {
  const scope = distinct(value);
  const names = scope.filter(isName);
  const isLight = ({ kind, word }: Term) => kind === 'word' && LIGHT.has(word);
  return names.length > 0 && scope.every((term) => isName(term) || isLight(term)) ? names : scope;
}

/** 'Contractors are not …' and 'employees are …': without a name, other nouns stand before the verb. */
function haveOtherHeads({ claim: denied, reach }: View, said: Claim, scope: Term[], known: TermSet): boolean {
  const head = denied.terms.filter((term) => !includes(scope, term) && !isFigure(term));
  const [first] = said.terms;
  if (head.length === 0 || denied.isOpen || said.isOpen || first?.kind !== 'word') return false;
  return !head.some((term) => known.has(term)) && !reach.has(first.word);
}

/** What is denied is part of what is said. A name or a figure that the other side lacks makes it another thing. */
function isWithin(scope: Term[], found: Term[], known: TermSet): boolean {
  if (found.length / scope.length < SCOPE_LEAST) return false;
  return scope.every((term) => known.has(term) || term.kind === 'word');
}

/** All that is said is part of what is denied, put in more words. */
function isAround(denied: Claim, said: Claim, scope: Term[], found: Term[], known: TermSet): boolean {
  const own = new TermSet(denied.terms);
  const all = said.terms.every((term) => isSubject(term) || own.has(term));
  return all && said.terms.length > 1 && found.length > 0 && scope.every((term) => known.has(term) || !isName(term));
}

function saysAsSuch({ attribute, terms, value }: StatementClaim, { kind, word }: Term): boolean {
  if (terms.length <= SHORT) return true;
  if (kind === 'figure') return false;
  return attribute === word || (attribute === 'be' && value.some((said) => !isName(said) && stem(said.word) === word));
}
