/** How far two claims speak of the same thing, by the terms they share. */
import { isSubject, type Term } from '../term.ts';
import type { View } from './view.ts';

export interface Overlap {
  /** Share of the terms of one that the other has too: the side of which more is found. */
  most: number;
  least: number;
  /** Terms that the other side lacks. */
  onlyA: Term[];
  onlyB: Term[];
  /** Stems of those that both have. */
  shared: string[];
}

export function overlapOf(a: View, b: View): Overlap {
  const one = partOf(a, b);
  const other = partOf(b, a);
  return {
    most: Math.max(one.share, other.share),
    least: Math.min(one.share, other.share),
    onlyA: one.lacking,
    onlyB: other.lacking,
    shared: one.shared.length < other.shared.length ? one.shared : other.shared,
  };
}

/** What the other side has of these terms. */
function partOf({ own }: View, { claim, reach, context }: View) {
  const shared: string[] = [];
  const lacking: Term[] = [];
  for (const term of own) {
    const { word } = term;
    if (reach.has(word)) shared.push(word);
    // A pronoun that nothing explains may stand for the other side's subject.
    else if (!context.has(word) && !(claim.isOpen && isSubject(term))) lacking.push(term);
  }
  return { shared, lacking, share: own.length === 0 ? 0 : 1 - lacking.length / own.length };
}

/** How well two claims fit each other: by all their own terms, and by those next to their values. */
export function fitOf(a: View, b: View): number {
  const [one, other] = [shareOf(a, b), shareOf(b, a)];
  return Math.max(one, other) + Math.min(one, other) + besides(a, b);
}

/** Share of the terms of one that the other has, too; what the documents are about is left out. */
export function shareOf({ own }: View, { claim, reach }: View): number {
  let lacking = 0;
  for (const term of own) if (!reach.has(term.word) && !(claim.isOpen && isSubject(term))) lacking++;
  return own.length === 0 ? 0 : 1 - lacking / own.length;
}

/** Share of the terms just before and just after the value that the other has in the same place. */
function besides(a: View, b: View): number {
  return (alike(a.before, b.before) + alike(a.after, b.after)) / 2;
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
