/** Judges made-up records as one scope: which detections are right, and which of the planted contradictions are found. */
import { Chance } from '../../storm/chance.ts';
import { copiesTarget } from './copies.ts';
import { printShown, shown } from './detection.ts';
import { generateRecords, type RecordDocument } from './records/generate.ts';
import { type Detection, type Judged, judgeScope } from './scope.ts';
import { print, printTable, printTargets, Tallies, Tally } from './tally.ts';

export interface JudgedRecords extends Judged {
  total: Tally;
  byKind: Tallies;
  /** What was planted and not found, with the texts that say it. */
  missed: { fact: string; texts: string[] }[];
  wrong: Detection[];
}

/** What is found counts once for each fact, however many documents say it; each wrong detection counts. */
export function judgeRecords(seed: number): JudgedRecords {
  const { documents: records, planted } = generateRecords(new Chance(seed));
  const judged = judgeScope(records);
  const [total, byKind] = [new Tally(), new Tallies()];
  const found = new Set<string>();
  const wrong = judged.detections.filter((detection) => {
    const [a, b] = [records[detection.seq_a] as RecordDocument, records[detection.seq_b] as RecordDocument];
    const facts = factsOf(detection, a, b);
    for (const fact of facts) found.add(fact);
    return facts.length === 0;
  });
  for (const [fact, { kind }] of planted)
    for (const tally of [total, byKind.of(kind)]) tally.add(true, found.has(fact));
  for (const { document_a, document_b } of wrong) {
    const kinds = [document_a, document_b].map((name) => name.split('/')[0] as string);
    for (const tally of [total, byKind.of([...new Set(kinds)].join(' and '))]) tally.add(false, true);
  }
  const missed = [...planted.keys()]
    .filter((fact) => !found.has(fact))
    .map((fact) => ({ fact, texts: records.filter(({ facts }) => facts.has(fact)).map(({ text }) => text) }));
  return { ...judged, total, byKind, missed, wrong };
}

/** The facts on which the two contradict each other and that its sentences have; a note has but one fact. */
function factsOf({ claim_a, claim_b }: Detection, a: RecordDocument, b: RecordDocument): string[] {
  const isIn = (value: string, claim: string, { facts }: RecordDocument) => facts.size === 1 || claim.includes(value);
  return [...a.facts].flatMap(([fact, value]) => {
    const other = b.facts.get(fact);
    if (other === undefined || other === value) return [];
    return isIn(value, claim_a, a) && isIn(other, claim_b, b) ? [fact] : [];
  });
}

export function printRecords(seed: number, errors: number): void {
  const judged = judgeRecords(seed);
  const { documents, detections, total, byKind, missed, wrong } = judged;
  for (const { fact, texts } of missed.slice(0, errors))
    print(`missed: ${fact}\n${texts.map((text) => text.trim().replace(/^/gm, '  | ')).join('\n  --\n')}\n`);
  for (const detection of wrong.slice(0, errors)) printShown(shown(detection, judged));
  print(`made-up records: ${documents.length} documents, ${detections.length} detections`);
  printTable('kind', byKind);
  printTable('all', new Map([['all', total]]));
  printTargets([
    { name: 'precision', value: total.precision, least: 0.9 },
    { name: 'recall', value: total.recall, least: 0.8 },
    copiesTarget(documents),
  ]);
}
