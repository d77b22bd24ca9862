/** A detection as it is read and judged by a person: both sentences with what stands around them, the reason and the rule. */
import type { Document } from './read.ts';
import type { Detection, Judged } from './scope.ts';
import { print } from './tally.ts';

interface Side {
  document: string;
  sentence: string;
  /** What stands before and after it in the document. */
  before: string;
  after: string;
}

export interface Shown {
  severity: string;
  subject: string;
  attribute: string;
  reason: string;
  /** The kinds of claims that were held against each other, which is what the pipeline tells of its rules. */
  rule: string;
  a: Side;
  b: Side;
}

/** Enough for a heading or the fields around it. */
const AROUND = 160;

export function shown(detection: Detection, { documents }: Judged): Shown {
  const { severity, subject, attribute, reason } = detection;
  const [a, b] = [documents[detection.seq_a] as Document, documents[detection.seq_b] as Document];
  const kinds = [kindOf(a, detection.span_a, attribute), kindOf(b, detection.span_b, attribute)];
  return {
    ...{ severity, subject, attribute, reason, rule: [...new Set(kinds)].join(' and ') },
    a: sideOf(a, detection.claim_a, detection.span_a),
    b: sideOf(b, detection.claim_b, detection.span_b),
  };
}

/** Several claims may come from one sentence: the one with the label is meant. */
function kindOf({ claims: { claims } }: Document, [start, end]: [number, number], label: string): string {
  const there = claims.filter(({ span }) => span.start === start && span.end === end);
  return (there.find((claim) => claim.label === label) ?? there[0])?.kind ?? 'unknown';
}

function sideOf({ source: { name, text } }: Document, sentence: string, [start, end]: [number, number]): Side {
  return {
    document: name,
    sentence,
    before: text.slice(Math.max(0, start - AROUND), start),
    after: text.slice(end, end + AROUND),
  };
}

export function printShown({ severity, subject, attribute, reason, rule, a, b }: Shown): void {
  print(`${severity}, ${rule}: ${reason}`);
  print(`  subject: ${subject || '-'}; attribute: ${attribute || '-'}`);
  for (const { document, before, sentence, after } of [a, b])
    print(`  ${document}\n    …${oneLine(before)} >>> ${oneLine(sentence)} <<< ${oneLine(after)}…`);
  print();
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
