/** Finds where two documents contradict each other. */
import type { ClaimSet } from '../claim.ts';
import { areOtherEditions } from '../extract/editions.ts';
import { groupOf } from '../extract/groups.ts';
import { apartAround, areOtherIssues } from './around.ts';
import { compare } from './compare.ts';
import type { Reason } from './comparison.ts';
import { areNamesakes } from './namesakes.ts';
import { fitOf } from './overlap.ts';
import { isAnyPair, pairsOf } from './pairs.ts';
import { ofSubject } from './reasons.ts';
import { cellsApart } from './records.ts';
import { type Severity, severityOf } from './severity.ts';
import { type Side, sideOf } from './side.ts';
import { areApart } from './sketch.ts';
import { mayExclude } from './sort.ts';
import { isStated } from './stated.ts';
import { SILENT, swappedTrace, type Trace } from './trace.ts';
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
  rule: string;
  fit: number;
}

export const MAX_CONFLICTS = 20;
/** Each is looked up among all the claims of both sides. */
const MAX_CHECKED = 40;
/** Of choosing. */
const MAX_ROUNDS = 3;

/** Of two documents that are compared with no others. */
export const reconcile = (a: ClaimSet, b: ClaimSet, trace: Trace = SILENT): Conflict[] =>
  conflictsBetween(sideOf(a), sideOf(b), trace);

/** At most 20, the best first. Swapping the two documents swaps the sides and changes nothing else. */
export function conflictsBetween(one: Side, other: Side, trace: Trace = SILENT): Conflict[] {
  if (one.set.rules !== other.set.rules) return nothing(trace, 'They were read by different rules.');
  if (one.sketch && other.sketch && areApart(one.sketch, other.sketch))
    return nothing(trace, 'The documents are about different subjects.');
  if (one.fingerprint <= other.fingerprint) return reconcileInOrder(one, other, trace);
  return reconcileInOrder(other, one, swappedTrace(trace)).map((conflict) => ({
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

function nothing(trace: Trace, why: string): [] {
  trace.whole(why);
  return [];
}

function reconcileInOrder(a: Side, b: Side, trace: Trace): Conflict[] {
  if (areOtherEditions(a.profile.issue, b.profile.issue))
    return nothing(trace, 'Their names say that they are two editions of one thing.');
  if (areNamesakes(a, b)) return nothing(trace, 'The documents are about namesakes.');
  const candidates = candidatesOf(a, b, trace);
  if (candidates.length === 0) return [];
  candidates.sort((one, other) => other.fit - one.fit || one.a - other.a || one.b - other.b);
  return chosen(candidates, a.claims, b.claims, trace).map(conflictOf);
}

function candidatesOf(a: Side, b: Side, trace: Trace): Candidate[] {
  const found: Candidate[] = [];
  for (const apart of cellsApart(a, b, trace)) {
    const [one, other] = [a.claims[apart.a] as View, b.claims[apart.b] as View];
    found.push({ ...apart, one, other, fit: fitOf(one, other) });
  }
  if (areOtherIssues(a.profile.issue, b.profile.issue)) {
    trace.whole('They are two issues of one thing, so that only their records are compared.');
    return found;
  }
  for (const [indexA, indexB] of pairsOf(a, b, trace === SILENT ? mayExclude : isAnyPair)) {
    const one = a.claims[indexA] as View;
    const other = b.claims[indexB] as View;
    if (one.claim.isCell && other.claim.isCell) continue;
    const { verdict, rule, reason, swapped } = compare(one, other);
    if (verdict !== 'incompatible' && trace === SILENT) continue;
    const kept = verdict === 'incompatible' ? apartAround(a, one, b, other, rule) : reason;
    if (kept === '') found.push({ a: indexA, b: indexB, one, other, rule, reason, swapped, fit: fitOf(one, other) });
    else trace.pair({ a: indexA, b: indexB, outcome: verdict === 'compatible' ? 'agree' : 'apart', why: kept });
  }
  return found;
}

/** The best. Where two sentences turn out to be of two things, others are chosen in their place, so often at most. */
function chosen(candidates: Candidate[], claimsA: View[], claimsB: View[], trace: Trace): Candidate[] {
  const apart = new Set<string>();
  const isApart = (candidate: Candidate) => isOfFigures(candidate) && apart.has(sentencesOf(candidate));
  let best: Best = { found: [], left: [] };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const still = candidates.filter((candidate) => !isApart(candidate));
    best = bestOf(still, claimsA, claimsB, trace);
    const others = ofOtherThings(best.found, claimsA, claimsB);
    if (others.length === 0) break;
    for (const sentences of others) apart.add(sentences);
  }
  const found = best.found.filter((candidate) => !isApart(candidate));
  if (trace === SILENT) return found;
  for (const { a, b, rule } of found) trace.pair({ a, b, outcome: 'found', why: rule });
  for (const { a, b, why } of best.left) trace.pair({ a, b, outcome: 'left out', why });
  for (const { a, b } of candidates.filter(isApart)) trace.pair({ a, b, outcome: 'left out', why: OTHER_FIGURES });
  return found;
}

interface Best {
  found: Candidate[];
  left: { a: number; b: number; why: string }[];
}

/**
 * Without those that the other document says elsewhere. A claim is part of one conflict; the same two values are reported once, and
 * so are the same two sentences.
 */
function bestOf(candidates: Candidate[], claimsA: View[], claimsB: View[], trace: Trace): Best {
  const used = new Set<string>();
  const { found, left }: Best = { found: [], left: [] };
  let checked = 0;
  for (const candidate of candidates) {
    const { a, b, one, other, fit } = candidate;
    const leave = (why: string) => left.push({ a, b, why });
    if (found.length >= MAX_CONFLICTS || checked >= MAX_CHECKED) {
      if (trace === SILENT) break;
      leave('There are too many that fit better.');
      continue;
    }
    const marks = marksOf(candidate);
    if (marks.some((mark) => used.has(mark))) {
      leave('Another pair of theirs fits better, or says the same.');
      continue;
    }
    checked++;
    // A record gives a value once.
    const areCells = one.claim.isCell && other.claim.isCell;
    if (!areCells && (isStated(one, claimsA, other, claimsB, fit) || isStated(other, claimsB, one, claimsA, fit))) {
      leave('The other document says the same elsewhere.');
      continue;
    }
    found.push(candidate);
    for (const mark of marks) used.add(mark);
    if (one.claim.kind !== 'statement') used.add(sentencesOf(candidate));
  }
  return { found, left };
}

/** Two sentences that differ in most of the figures that both of them give are of two things, or of two times, as records are. */
function ofOtherThings(found: Candidate[], claimsA: View[], claimsB: View[]): string[] {
  return [...Map.groupBy(found.filter(isOfFigures), sentencesOf)].flatMap(([sentences, told]) => {
    const [{ one, other }] = told as [Candidate];
    const shared = told.length > 1 ? Math.min(figuresIn(claimsA, one), figuresIn(claimsB, other)) : 0;
    return told.length > Math.max(1, shared / 2) ? [sentences] : [];
  });
}

const OTHER_FIGURES = 'The sentences differ in most of the figures that both of them give.';

/** Where one affirms a figure and the other denies it, that is a denial, and no other figure. */
const isOfFigures = ({ one: { claim: one }, other: { claim: other } }: Candidate) =>
  one.kind === 'quantity' && one.polarity === other.polarity && !one.isCell && !other.isCell;

const figuresIn = (claims: View[], { claim: { span } }: View) =>
  claims.filter(({ claim }) => claim.kind === 'quantity' && claim.span.start === span.start).length;

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
