/** Judges a file of labelled pairs, each as two documents of one scope, and its texts as documents that are unrelated. */
import type { Found } from '../../src/runtime/thread.ts';
import { copiesTarget } from './copies.ts';
import { familyOf, inPart, isAside, type Pair, type Part, readPairs, typeOf } from './pairs.ts';
import { type Document, foundBetween, readSource } from './read.ts';
import { print, printTable, printTargets, Tallies, Tally, type Target } from './tally.ts';
import { countUnrelatedAlarms } from './unrelated.ts';

interface Options {
  part: Part;
  /** How many that were judged wrong are listed. */
  errors: number;
}

export function judgePairs(file: string, { part, errors }: Options): void {
  const all = readPairs(file);
  const pairs = all.filter((pair) => inPart(pair, part));
  const documents = new Map<string, { family: string; document: Document }>();
  const read = (pair: Pair, text: string) => {
    const type = typeOf(pair);
    const known = documents.get(`${type} ${text}`);
    if (known) return known.document;
    const document = readSource({ name: 'document', type, text });
    documents.set(`${type} ${text}`, { family: familyOf(pair), document });
    return document;
  };
  const [total, bySource, byKind] = [new Tally(), new Tallies(), new Tallies()];
  let listed = 0;
  for (const pair of pairs) {
    const found = foundBetween(read(pair, pair.a), read(pair, pair.b));
    const isContradiction = pair.label === 'contradiction';
    const isFound = found.length > 0;
    for (const tally of [total, bySource.of(pair.source), byKind.of(pair.kind)]) tally.add(isContradiction, isFound);
    if (isFound === isContradiction || isAside(pair) || listed >= errors) continue;
    listed++;
    printError(pair, found);
  }
  print(`${file}: ${pairs.length} of ${all.length} pairs (${part})`);
  // Of what is set aside only the totals are shown: a kind or a source of few pairs would give its errors away.
  if (part !== 'aside') {
    printTable('source', bySource);
    printTable('kind', byKind);
  }
  printTable('all', new Map([['all', total]]));
  const { alarms, variants, compared, pairs: unrelated } = countUnrelatedAlarms([...documents.values()]);
  print(`unrelated documents: ${unrelated} pairs, ${compared} of them share a key, ${alarms} alarms`);
  print(`${variants} of these alarms are between variants of one text, which were put into different families\n`);
  printTargets([
    ...(pairs.every(({ source }) => source === 'business') ? businessTargets(total) : earlierTargets(total)),
    { name: 'alarms in a million unrelated pairs', value: (alarms / unrelated) * 1e6, most: 40 },
    copiesTarget([...documents.values()].map(({ document }) => document)),
  ]);
}

function printError(pair: Pair, found: Found[]): void {
  print(`${found.length > 0 ? 'false alarm' : 'missed'}: ${pair.id}, ${pair.source}, ${pair.kind}, ${pair.label}`);
  print(`  a: ${pair.a}\n  b: ${pair.b}`);
  for (const { reason } of found.slice(0, 3)) print(`  ${reason}`);
}

const businessTargets = ({ precision, recall, alarmRate }: Tally): Target[] => [
  { name: 'precision', value: precision, least: 0.92 },
  { name: 'recall', value: recall, least: 0.72 },
  { name: 'alarms on consistent and neutral pairs', value: alarmRate, most: 0.05 },
];

const earlierTargets = ({ precision, recall }: Tally): Target[] => [
  { name: 'precision', value: precision, least: 0.95 },
  { name: 'recall', value: recall, least: 0.42 },
];
