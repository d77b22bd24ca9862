/** Finds where two documents contradict each other. */
import type { Claim, ClaimSet } from '../claim.ts';
import { groupOf, valueHash } from '../extract/groups.ts';
import { fingerprint } from '../fingerprint.ts';
import { compare } from './compare.ts';
import { isLone } from './lone.ts';
import { areNamesakes } from './namesakes.ts';
import { fitOf } from './overlap.ts';
import { pairsOf } from './pairs.ts';
import { type Severity, severityOf } from './severity.ts';
import { isStated } from './stated.ts';

export interface Conflict {
  /** Places in the claims of each side. */
  a: number;
  b: number;
  severity: Severity;
  /** One line in plain words. */
  reason: string;
  subject: string;
  attribute: string;
  groupA: number;
  valueA: number;
  groupB: number;
  valueB: number;
}

interface Candidate {
  a: number;
  b: number;
  claimA: Claim;
  claimB: Claim;
  reason: string;
  fit: number;
}

export const CONFLICTS_MOST = 20;
/** Each is looked up among all the claims of both sides. */
const CHECKED_MOST = 40;

/** At most 20, the best first. Swapping the two documents swaps the sides and changes nothing else. */
export function reconcile(a: ClaimSet, b: ClaimSet): Conflict[] {
  if (fingerprint(a) <= fingerprint(b)) return reconcileInOrder(a, b);
  return reconcileInOrder(b, a).map((conflict) => ({
    ...conflict,
    a: conflict.b,
    b: conflict.a,
    groupA: conflict.groupB,
    valueA: conflict.valueB,
    groupB: conflict.groupA,
    valueB: conflict.valueA,
  }));
}

function reconcileInOrder(a: ClaimSet, b: ClaimSet): Conflict[] {
  if (areNamesakes(a.profile, b.profile)) return [];
  const candidates = candidatesOf(a, b);
  candidates.sort((one, other) => other.fit - one.fit || one.a - other.a || one.b - other.b);
  return chosen(candidates, a.claims, b.claims).map(conflictOf);
}

function candidatesOf(a: ClaimSet, b: ClaimSet): Candidate[] {
  // In a longer document a sentence without a name may be about anything.
  const areLong = Math.min(a.profile.sentences, b.profile.sentences) > 1;
  // And 'the fee' may be another fee in each unless that is all they speak of.
  const areSentences = Math.max(a.profile.sentences, b.profile.sentences) === 1;
  const contexts = { a: contextOf(a), b: contextOf(b) };
  return pairsOf(a, b).flatMap(([indexA, indexB]): Candidate[] => {
    const claimA = a.claims[indexA] as Claim;
    const claimB = b.claims[indexB] as Claim;
    const { verdict, reason } = compare(claimA, claimB, contexts);
    if (verdict !== 'incompatible') return [];
    if (areLong && !claimA.anchors.some((name) => claimB.anchors.includes(name))) return [];
    if (!areSentences && claimA.kind === 'quantity' && isLone(claimA)) return [];
    return [{ a: indexA, b: indexB, claimA, claimB, reason, fit: fitOf(claimA, claimB) }];
  });
}

/** A sentence stands for itself; a longer document also says what it is about. */
function contextOf({ profile }: ClaimSet): Set<string> {
  return new Set(profile.sentences > 1 ? [...profile.subject, ...profile.topic] : []);
}

/**
 * The best, without those that the other document says elsewhere. A claim is part of one conflict; the same two values are
 * reported once, and so are the same two sentences.
 */
function chosen(candidates: Candidate[], claimsA: Claim[], claimsB: Claim[]): Candidate[] {
  const used = new Set<string>();
  const found: Candidate[] = [];
  let checked = 0;
  for (const candidate of candidates) {
    if (found.length >= CONFLICTS_MOST || checked >= CHECKED_MOST) break;
    const marks = marksOf(candidate);
    if (marks.some((mark) => used.has(mark))) continue;
    checked++;
    const { claimA, claimB, fit } = candidate;
    if (isStated(claimA, claimsA, claimB, claimsB, fit) || isStated(claimB, claimsB, claimA, claimsA, fit)) continue;
    found.push(candidate);
    for (const mark of marks) used.add(mark);
    if (claimA.kind !== 'statement') used.add(sentencesOf(candidate));
  }
  return found;
}

function marksOf(candidate: Candidate): string[] {
  const { a, b, claimA, claimB } = candidate;
  const marks = [`a${a}`, `b${b}`, `v${claimA.attribute} ${hashOf(claimA)} ${hashOf(claimB)}`];
  // A figure says more than the statement it is part of.
  return claimA.kind === 'statement' ? [...marks, sentencesOf(candidate)] : marks;
}

/** One claim is part of many candidates. */
const hashes = new WeakMap<Claim, number>();

function hashOf(claim: Claim): number {
  const known = hashes.get(claim) ?? valueHash(claim);
  hashes.set(claim, known);
  return known;
}

const sentencesOf = ({ claimA, claimB }: Candidate) => `s${claimA.span.start} ${claimB.span.start}`;

function conflictOf({ a, b, claimA, claimB, reason }: Candidate): Conflict {
  return {
    a,
    b,
    severity: severityOf(claimA, claimB),
    reason,
    subject: claimA.subject || claimB.subject,
    attribute: claimA.label || claimB.label || claimA.attribute,
    groupA: groupOf(claimA),
    valueA: valueHash(claimA),
    groupB: groupOf(claimB),
    valueB: valueHash(claimB),
  };
}
