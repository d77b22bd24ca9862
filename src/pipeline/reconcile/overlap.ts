/** How far two claims speak of the same thing, by the terms they share. */
import type { Claim } from '../claim.ts';
import { bare } from '../extract/terms.ts';
import { isSubjectName, viewOf } from './view.ts';

export interface Overlap {
  /** Share of the terms of one that the other has too: the side of which more is found. */
  most: number;
  least: number;
  /** Terms that the other side lacks, with their marks. */
  onlyA: string[];
  onlyB: string[];
  shared: string[];
}

/** What the documents are about as a whole; a claim need not repeat it. */
export interface Contexts {
  a: Set<string>;
  b: Set<string>;
}

const NONE: Contexts = { a: new Set(), b: new Set() };

export function overlapOf(a: Claim, b: Claim, contexts: Contexts = NONE): Overlap {
  const { own: termsA, reach: allA } = viewOf(a);
  const { own: termsB, reach: allB } = viewOf(b);
  const onlyA = lacking(termsA, allB, contexts.b, b.isOpen);
  const onlyB = lacking(termsB, allA, contexts.a, a.isOpen);
  const shareA = termsA.length === 0 ? 0 : 1 - onlyA.length / termsA.length;
  const shareB = termsB.length === 0 ? 0 : 1 - onlyB.length / termsB.length;
  const sharedA = termsA.filter((term) => allB.has(bare(term))).map(bare);
  const sharedB = termsB.filter((term) => allA.has(bare(term))).map(bare);
  const shared = sharedA.length < sharedB.length ? sharedA : sharedB;
  return { most: Math.max(shareA, shareB), least: Math.min(shareA, shareB), onlyA, onlyB, shared };
}

/** A pronoun that nothing explains may stand for the other side's subject. */
function lacking(terms: string[], known: Set<string>, context: Set<string>, isOpen: boolean): string[] {
  return terms.filter((term) => !known.has(bare(term)) && !context.has(bare(term)) && !(isOpen && isSubjectName(term)));
}

/** How well two claims fit each other: by all their terms, and by those next to their values. */
export function fitOf(a: Claim, b: Claim): number {
  const { most, least } = overlapOf(a, b);
  return most + least + besides(a, b);
}

const NEAR = 3;

/** Share of the terms just before and just after the value that the other has in the same place. */
function besides(a: Claim, b: Claim): number {
  const [beforeA, afterA] = neighbours(a);
  const [beforeB, afterB] = neighbours(b);
  return (alike(beforeA, beforeB) + alike(afterA, afterB)) / 2;
}

function neighbours({ terms }: Claim): [before: string[], after: string[]] {
  const at = terms.indexOf('#');
  if (at < 0) return [[], []];
  return [
    terms
      .slice(Math.max(0, at - NEAR), at)
      .map(place)
      .reverse(),
    terms.slice(at + 1, at + 1 + NEAR).map(place),
  ];
}

/** Another value may differ as well. */
const place = (term: string) => (term.startsWith('=') ? '=' : bare(term));

/** The nearest counts most. */
function alike(one: string[], other: string[]): number {
  const size = Math.max(one.length, other.length);
  if (size === 0) return 1;
  let sum = 0;
  let all = 0;
  for (let at = 0; at < size; at++) {
    const weight = 1 / (at + 1);
    all += weight;
    if (one[at] !== undefined && one[at] === other[at]) sum += weight;
  }
  return sum / all;
}
