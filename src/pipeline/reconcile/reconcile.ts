/** Finds where two documents contradict each other. */
import type { Claim, ClaimSet } from '../claim.ts';
import { groupOf, valueHash } from '../extract/groups.ts';
import { hash53 } from '../extract/hash.ts';
import { claimKeys } from '../extract/keys.ts';
import { compare } from './compare.ts';
import { areNamesakes } from './namesakes.ts';
import { fitOf } from './overlap.ts';
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
  return withoutRepeats(candidates).slice(0, CONFLICTS_MOST).map(conflictOf);
}

function candidatesOf(a: ClaimSet, b: ClaimSet): Candidate[] {
  // In a longer document a sentence without a name may be about anything.
  const areLong = Math.min(a.profile.sentences, b.profile.sentences) > 1;
  const contexts = { a: contextOf(a), b: contextOf(b) };
  const byKey = indexOf(b);
  const found: Candidate[] = [];
  a.claims.forEach((claimA, index) => {
    const others = new Set<number>();
    for (const key of claimKeys(claimA)) for (const other of byKey.get(key) ?? []) others.add(other);
    for (const other of others) {
      const claimB = b.claims[other] as Claim;
      const { verdict, reason } = compare(claimA, claimB, contexts);
      if (verdict !== 'incompatible') continue;
      if (areLong && !claimA.anchors.some((name) => claimB.anchors.includes(name))) continue;
      const fit = fitOf(claimA, claimB);
      if (isStated(claimA, a.claims, claimB, b.claims, fit) || isStated(claimB, b.claims, claimA, a.claims, fit))
        continue;
      found.push({ a: index, b: other, claimA, claimB, reason, fit });
    }
  });
  return found;
}

/** A sentence stands for itself; a longer document also says what it is about. */
function contextOf({ profile }: ClaimSet): Set<string> {
  return new Set(profile.sentences > 1 ? [...profile.subject, ...profile.topic] : []);
}

/** One document is held against many. */
const indexes = new WeakMap<ClaimSet, Map<number, number[]>>();

function indexOf(set: ClaimSet): Map<number, number[]> {
  const known = indexes.get(set);
  if (known) return known;
  const byKey = new Map<number, number[]>();
  set.claims.forEach((claim, index) => {
    for (const key of claimKeys(claim)) {
      const list = byKey.get(key);
      if (list) list.push(index);
      else byKey.set(key, [index]);
    }
  });
  indexes.set(set, byKey);
  return byKey;
}

/** A claim is part of one conflict, the best; the same two values are reported once, and so are the same two sentences. */
function withoutRepeats(candidates: Candidate[]): Candidate[] {
  const used = new Set<string>();
  return candidates.filter(({ a, b, claimA, claimB }) => {
    const sentences = `${claimA.span.start} ${claimB.span.start}`;
    const marks = [`a${a}`, `b${b}`, `v${claimA.attribute} ${valueHash(claimA)} ${valueHash(claimB)}`];
    // A figure says more than the statement it is part of.
    if (claimA.kind === 'statement') marks.push(`s${sentences}`, `q${sentences}`);
    if (marks.some((mark) => used.has(mark))) return false;
    for (const mark of marks) used.add(mark);
    if (claimA.kind !== 'statement') used.add(`q${sentences}`);
    return true;
  });
}

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

const fingerprints = new WeakMap<ClaimSet, number>();

/** Puts two documents in an order of their own. */
function fingerprint(set: ClaimSet): number {
  const known = fingerprints.get(set);
  if (known !== undefined) return known;
  const made = hash53(JSON.stringify(set));
  fingerprints.set(set, made);
  return made;
}
