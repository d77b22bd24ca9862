/** Finds where two documents contradict each other. */
import type { Claim, ClaimSet } from '../claim.ts';
import { groupOf } from '../extract/groups.ts';
import { compare } from './compare.ts';
import type { Reason } from './comparison.ts';
import { isLone } from './lone.ts';
import { areNamesakes } from './namesakes.ts';
import { fitOf } from './overlap.ts';
import { areShort, pairsOf, shareKey } from './pairs.ts';
import { ofSubject } from './reasons.ts';
import { cellsApart } from './records.ts';
import { type Severity, severityOf } from './severity.ts';
import { type Side, sideOf } from './side.ts';
import { isStated } from './stated.ts';
import { areOfOtherSubjects } from './subjects.ts';
import type { View } from './view.ts';

export interface Conflict extends Reason {
  /** Places in the claims of each side. */
  a: number;
  b: number;
  severity: Severity;
  subject: string;
  attribute: string;
  groupA: number;
  valueA: number;
  groupB: number;
  valueB: number;
}

interface Candidate extends Reason {
  a: number;
  b: number;
  one: View;
  other: View;
  fit: number;
}

export const MAX_CONFLICTS = 20;
/** Each is looked up among all the claims of both sides. */
const MAX_CHECKED = 40;

/** At most 20, the best first. Swapping the two documents swaps the sides and changes nothing else. */
export function reconcile(a: ClaimSet, b: ClaimSet): Conflict[] {
  if (a.rules !== b.rules) return [];
  const [one, other] = [sideOf(a), sideOf(b)];
  if (areShort(one, other) && areOfOtherSubjects(one, other)) return [];
  if (one.fingerprint <= other.fingerprint) return reconcileInOrder(one, other);
  return reconcileInOrder(other, one).map((conflict) => ({
    ...conflict,
    a: conflict.b,
    b: conflict.a,
    reason: conflict.swapped,
    swapped: conflict.reason,
    groupA: conflict.groupB,
    valueA: conflict.valueB,
    groupB: conflict.groupA,
    valueB: conflict.valueA,
  }));
}

function reconcileInOrder(a: Side, b: Side): Conflict[] {
  if (areNamesakes(a, b)) return [];
  const candidates = candidatesOf(a, b);
  candidates.sort((one, other) => other.fit - one.fit || one.a - other.a || one.b - other.b);
  return chosen(candidates, a.claims, b.claims).map(conflictOf);
}

function candidatesOf(a: Side, b: Side): Candidate[] {
  // In a longer document a sentence without a name may be about anything.
  const areLong = Math.min(a.profile.sentences, b.profile.sentences) > 1;
  // And 'the fee' may be another fee in each unless that is all they speak of.
  const areSentences = Math.max(a.profile.sentences, b.profile.sentences) === 1;
  const found = cellsApart(a, b).map((apart): Candidate => {
    const [one, other] = [a.claims[apart.a] as View, b.claims[apart.b] as View];
    return { ...apart, one, other, fit: fitOf(one, other) };
  });
  if (areOtherIssues(a.profile.issue, b.profile.issue)) return found;
  const areOfOthers = lacksPhrase(a, b) && lacksPhrase(b, a);
  for (const [indexA, indexB] of pairsOf(a, b)) {
    const one = a.claims[indexA] as View;
    const other = b.claims[indexB] as View;
    if (one.claim.isCell && other.claim.isCell) continue;
    const { verdict, ...why } = compare(one, other);
    if (verdict !== 'incompatible') continue;
    if (areLong && areOfOthers && one.subject.length + other.subject.length === 0) continue;
    if (areLong && !areNamedAlike(a, one, b, other)) continue;
    if (!areSentences && one.claim.kind === 'quantity' && isLone(one)) continue;
    if (areShort(a, b) && !shareKey(one, other)) continue;
    // What a document says, too, it does not deny, whatever else it says.
    if (a.says(other) || b.says(one)) continue;
    found.push({ a: indexA, b: indexB, one, other, ...why, fit: fitOf(one, other) });
  }
  return found;
}

/** Its first sentence is about something that the beginning of the other does not mention. */
const lacksPhrase = ({ profile }: Side, { profile: other, names }: Side) =>
  profile.phrase.some((stem) => !other.phrase.includes(stem) && !other.topic.includes(stem) && !names.has(stem));

const areSame = (one: string[], other: string[]) =>
  one.length > 1 && one.length === other.length && one.every((stem) => other.includes(stem));

/** What a meeting decided on one day. */
const areOfOneDay = ({ qualifiers: { time: one } }: Claim, { qualifiers: { time: other } }: Claim) =>
  one === other && one.split(' ').length >= DAY_TERMS;

/** Year, month and day. */
const DAY_TERMS = 3;

/** They share a name, or one has the name that the other's document is about. */
function areNamedAlike(a: Side, { claim: one }: View, b: Side, { claim: other }: View): boolean {
  const isIn = (names: string[]) => (name: string) => names.includes(name);
  return (
    areSame(a.profile.phrase, b.profile.phrase) ||
    areOfOneDay(one, other) ||
    one.anchors.some(isIn(other.anchors)) ||
    (other.anchors.length === 0 && one.anchors.some(isIn(b.profile.subject))) ||
    (one.anchors.length === 0 && other.anchors.some(isIn(a.profile.subject)))
  );
}

/** Minutes of two days, two versions, two quarters: what one of them says is not denied by the other. */
function areOtherIssues(one: string[], other: string[]): boolean {
  const isOfSeries = (term: string) => other.some((like) => seriesOf(like) === seriesOf(term));
  return one.some((term) => !other.includes(term)) && other.some((term) => !one.includes(term)) && one.some(isOfSeries);
}

/** What an issue that has no title is one of, as 'shift report of'; '' for others. */
const seriesOf = (term: string) => term.slice(0, Math.max(0, term.lastIndexOf(':')));

/**
 * The best, without those that the other document says elsewhere. A claim is part of one conflict; the same two values are
 * reported once, and so are the same two sentences.
 */
function chosen(candidates: Candidate[], claimsA: View[], claimsB: View[]): Candidate[] {
  const used = new Set<string>();
  const found: Candidate[] = [];
  let checked = 0;
  for (const candidate of candidates) {
    if (found.length >= MAX_CONFLICTS || checked >= MAX_CHECKED) break;
    const marks = marksOf(candidate);
    if (marks.some((mark) => used.has(mark))) continue;
    checked++;
    const { one, other, fit } = candidate;
    // A record gives a value once.
    const areCells = one.claim.isCell && other.claim.isCell;
    if (!areCells && (isStated(one, claimsA, other, claimsB, fit) || isStated(other, claimsB, one, claimsA, fit)))
      continue;
    found.push(candidate);
    for (const mark of marks) used.add(mark);
    if (one.claim.kind !== 'statement') used.add(sentencesOf(candidate));
  }
  return found;
}

function marksOf(candidate: Candidate): string[] {
  const { a, b, one, other } = candidate;
  const marks = [`a${a}`, `b${b}`, `v${one.claim.attribute} ${one.hash} ${other.hash}`];
  // A figure says more than the statement it is part of.
  return one.claim.kind === 'statement' ? [...marks, sentencesOf(candidate)] : marks;
}

const sentencesOf = ({ one, other }: Candidate) => `s${one.claim.span.start} ${other.claim.span.start}`;

function conflictOf({ a, b, one, other, reason, swapped }: Candidate): Conflict {
  const [claimA, claimB] = [one.claim, other.claim];
  const subject = claimA.subject || claimB.subject;
  return {
    a,
    b,
    severity: severityOf(claimA, claimB),
    reason: ofSubject(subject, reason),
    swapped: ofSubject(subject, swapped),
    subject,
    attribute: claimA.label || claimB.label || claimA.attribute,
    groupA: groupOf(claimA),
    valueA: one.hash,
    groupB: groupOf(claimB),
    valueB: other.hash,
  };
}
