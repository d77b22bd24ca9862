/** How far two claims speak of the same thing, by the terms they share. */
import type { Claim } from '../claim.ts';
import { isSubjectName, type View, viewOf } from './view.ts';

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
  const [viewA, viewB] = [viewOf(a), viewOf(b)];
  const one = partOf(viewA, viewB.reach, contexts.b, b.isOpen);
  const other = partOf(viewB, viewA.reach, contexts.a, a.isOpen);
  return {
    most: Math.max(one.share, other.share),
    least: Math.min(one.share, other.share),
    onlyA: one.lacking,
    onlyB: other.lacking,
    shared: one.shared.length < other.shared.length ? one.shared : other.shared,
  };
}

/** What the other side has of these terms. A pronoun that nothing explains may stand for the other side's subject. */
function partOf({ own, bare: words }: View, known: Set<string>, context: Set<string>, isOpen: boolean) {
  const shared: string[] = [];
  const lacking: string[] = [];
  for (let at = 0; at < own.length; at++) {
    const [term, word] = [own[at] as string, words[at] as string];
    if (known.has(word)) shared.push(word);
    else if (!context.has(word) && !(isOpen && isSubjectName(term))) lacking.push(term);
  }
  return { shared, lacking, share: own.length === 0 ? 0 : 1 - lacking.length / own.length };
}

/** How well two claims fit each other: by all their terms, and by those next to their values. */
export function fitOf(a: Claim, b: Claim): number {
  const { most, least } = overlapOf(a, b);
  return most + least + besides(a, b);
}

/** Share of the terms just before and just after the value that the other has in the same place. */
function besides(a: Claim, b: Claim): number {
  const [one, other] = [viewOf(a), viewOf(b)];
  return (alike(one.before, other.before) + alike(one.after, other.after)) / 2;
}

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
