/** Judges a corpus as one scope: how many of the contradictions planted in it are found, and what else is detected. */
import { writeFileSync } from 'node:fs';
import { Chance } from '../../storm/chance.ts';
import { copiesTarget } from './copies.ts';
import { printShown, shown } from './detection.ts';
import { readLines } from './lines.ts';
import { type Plant, plantIn } from './plant/plant.ts';
import { overlaps } from './plant/statement.ts';
import type { Source } from './read.ts';
import { type Detection, judgeScope } from './scope.ts';
import { print, printTargets, Tallies } from './tally.ts';

interface Options {
  seed: number;
  plant: number;
  sample: number;
  errors: number;
  out: string | undefined;
}

export function judgeCorpus(file: string, { seed, plant, sample, errors, out }: Options): void {
  const chance = new Chance(seed);
  const sources = readLines<Source>(file, ['name', 'type', 'text']).map(({ line }) => line);
  const plants = plantIn(sources, plant, chance.fork('plants'));
  const began = performance.now();
  const report = (line: string) => process.stderr.write(`${file}: ${line}\n`);
  const judged = judgeScope([...sources, ...plants.map(({ planted }) => planted)], report);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);

  const isPlanted = (seq: number) => seq >= sources.length;
  const rest = judged.detections.filter(({ seq_a, seq_b }) => !isPlanted(seq_a) && !isPlanted(seq_b));
  const touching = judged.detections.filter(({ seq_a, seq_b }) => isPlanted(seq_a) || isPlanted(seq_b));
  const found = new Map(plants.map((one) => [one, touching.find((detection) => isOf(detection, one))]));
  const missed = plants.filter((one) => !found.get(one));
  const right = new Set(found.values());
  const beside = touching.filter((detection) => !right.has(detection));

  print(`${file}: ${sources.length} documents, ${judged.compared} pairs compared, ${seconds} s`);
  printRecall(plants, (one) => found.get(one) !== undefined);
  const perThousand = (rest.length / sources.length) * 1000;
  print(`detected beside those that were planted: ${rest.length}, ${perThousand.toFixed(0)} in 1,000 documents`);
  print(`detected between planted documents and others, beside what was planted: ${beside.length}\n`);
  for (const one of missed.slice(0, errors)) printMissed(one);
  const toRead = rest.map((detection) => ({ detection, place: chance.next() })).sort((a, b) => a.place - b.place);
  for (const { detection } of toRead.slice(0, sample)) printShown(shown(detection, judged));
  if (out !== undefined) {
    const all = [
      ...rest.map((detection) => ({ is: 'rest', ...shown(detection, judged) })),
      ...beside.map((detection) => ({ is: 'beside', ...shown(detection, judged) })),
      ...plants.map((one) => ({ is: found.get(one) ? 'planted' : 'missed', ...one })),
    ];
    writeFileSync(out, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  printTargets([
    { name: 'recall on what was planted', value: 1 - missed.length / plants.length, least: 0.8 },
    copiesTarget(judged.documents),
  ]);
}

function printRecall(plants: Plant[], isFound: (plant: Plant) => boolean): void {
  const tallies = new Tallies();
  for (const one of plants)
    for (const name of [one.kind, `as ${one.form}`, 'all']) tallies.of(name).add(true, isFound(one));
  print(`${'planted'.padEnd(16)} recall   found  missed`);
  for (const [name, { recall, found, missed }] of [...tallies].sort(([one], [other]) => (one < other ? -1 : 1)))
    print(
      `${name.padEnd(16)}${recall.toFixed(3).padStart(7)}${String(found).padStart(8)}${String(missed).padStart(8)}`,
    );
  print();
}

/** Whether it joins the two documents, by the sentences that have the two values. */
function isOf(detection: Detection, { source, planted, saidInSource, saidInPlanted }: Plant): boolean {
  const sides = [
    { name: detection.document_a, span: detection.span_a },
    { name: detection.document_b, span: detection.span_b },
  ];
  return sides.every(({ name, span }) =>
    name === planted.name ? overlaps(span, saidInPlanted) : name === source && overlaps(span, saidInSource),
  );
}

function printMissed({ kind, form, source, from, to, planted, saidInPlanted: [start, end] }: Plant): void {
  const said = `${planted.text.slice(Math.max(0, start - 200), start)}>>>${to}<<<${planted.text.slice(end, end + 100)}`;
  print(`missed: ${kind}, ${form} of ${source}, ${from} → ${to}\n  ${said.replace(/\s+/g, ' ').trim()}\n`);
}
