/** npm run eval: judges a file of labelled pairs the way the service sees them, as two documents of one scope. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toldUsage } from '../src/cli/usage.ts';
import { StartError } from '../src/errors.ts';
import type { ClaimSet } from '../src/pipeline/claim.ts';
import { extract } from '../src/pipeline/extract/extract.ts';
import { keysOf } from '../src/pipeline/extract/keys.ts';
import { readDocument } from '../src/pipeline/read.ts';
import { type Conflict, reconcile } from '../src/pipeline/reconcile/reconcile.ts';

const USAGE = `usage: npm run eval -- FILE.jsonl [--half dev|held-out] [--errors [N]]
  One pair a line: {"id", "a", "b", "label": "contradiction"|"consistent"|"neutral", "kind", "source"}.
  --half    only the pairs that rules were made on, or only the others: eight and two of ten, by their id's group
  --errors  lists pairs that were judged wrong, N of them (20)`;

interface Pair {
  id: string;
  a: string;
  b: string;
  label: 'contradiction' | 'consistent' | 'neutral';
  kind: string;
  source: string;
}

interface Document {
  text: string;
  family: string;
  set: ClaimSet;
  keys: Set<number>;
}

interface Options {
  file: string;
  half: string | undefined;
  errors: number;
}

const print = (line = '') => process.stdout.write(`${line}\n`);

function parseOptions(args: string[]): Options {
  // '--errors' may stand without a number.
  const given = args.map((arg, index) =>
    arg === '--errors' && !/^\d+$/.test(args[index + 1] ?? '') ? '--errors=20' : arg,
  );
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { half: { type: 'string' }, errors: { type: 'string', default: '0' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new StartError(USAGE);
  if (values.half !== undefined && values.half !== 'dev' && values.half !== 'held-out')
    throw new StartError("--half: expected 'dev' or 'held-out'");
  if (!/^\d{1,6}$/.test(values.errors)) throw new StartError('--errors: expected a number');
  return { file, half: values.half, errors: Number(values.errors) };
}

function readPairs(file: string): Pair[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const pairs = text
    .split('\n')
    .flatMap((line, index) => (line.trim() ? [parsePair(line, `${file}, line ${index + 1}`)] : []));
  if (pairs.length === 0) throw new StartError(`${file} has no pairs`);
  return pairs;
}

function parsePair(line: string, place: string): Pair {
  let pair: Pair;
  try {
    pair = JSON.parse(line);
  } catch {
    throw new StartError(`${place}: not JSON`);
  }
  for (const key of ['id', 'a', 'b', 'label', 'kind', 'source'] as const)
    if (typeof pair?.[key] !== 'string') throw new StartError(`${place}: '${key}' is missing or not a string`);
  if (!/^(?:contradiction|consistent|neutral)$/.test(pair.label))
    throw new StartError(`${place}: label is '${pair.label}', not contradiction, consistent or neutral`);
  return pair;
}

/** Pairs made of one source text share what their ids have before the first '_'. */
const groupOf = ({ id }: Pair) => id.split('_', 1)[0] ?? id;

/** Variants of one claim, whose ids only differ in a last digit after noughts, are related, too. */
const familyOf = (pair: Pair) => groupOf(pair).replace(/0{6}\d$/, '');

function isDev(pair: Pair): boolean {
  return Number.parseInt(createHash('sha1').update(groupOf(pair)).digest('hex').slice(0, 8), 16) % 10 < 8;
}

/** Each text is read once, however many pairs it is in. */
function reader(): { read: (text: string, family: string) => Document; documents: Map<string, Document> } {
  const documents = new Map<string, Document>();
  const read = (text: string, family: string) => {
    const known = documents.get(text);
    if (known) return known;
    const source = { name: 'document', type: 'txt' };
    const set = extract(readDocument({ ...source, text }), source);
    const document = { text, family, set, keys: new Set(keysOf(set)) };
    documents.set(text, document);
    return document;
  };
  return { read, documents };
}

function conflictsOf(a: Document, b: Document): Conflict[] {
  const [few, many] = a.keys.size < b.keys.size ? [a, b] : [b, a];
  for (const key of few.keys) if (many.keys.has(key)) return reconcile(a.set, b.set);
  return [];
}

/** How often a contradiction was found, and how often there is one. */
class Tally {
  found = 0;
  missed = 0;
  alarms = 0;
  silent = 0;

  add(isContradiction: boolean, isFound: boolean): void {
    if (isContradiction) isFound ? this.found++ : this.missed++;
    else isFound ? this.alarms++ : this.silent++;
  }

  get precision(): number {
    return this.found / (this.found + this.alarms);
  }

  get recall(): number {
    return this.found / (this.found + this.missed);
  }

  get alarmRate(): number {
    return this.alarms / (this.alarms + this.silent);
  }
}

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(3)).padStart(7);
const count = (value: number) => String(value).padStart(7);

function printTable(title: string, tallies: Map<string, Tally>): void {
  print(`${title.padEnd(32)}precision recall alarms  found missed alarms silent`);
  for (const [name, tally] of [...tallies].sort(([one], [other]) => (one < other ? -1 : 1)))
    print(
      `${name.padEnd(32)}  ${share(tally.precision)}${share(tally.recall)}${share(tally.alarmRate)}` +
        count(tally.found) +
        count(tally.missed) +
        count(tally.alarms) +
        count(tally.silent),
    );
  print();
}

interface Target {
  name: string;
  value: number | undefined;
  least?: number;
  most?: number;
}

function printTargets(targets: Target[]): void {
  print('target');
  for (const { name, value, least, most } of targets) {
    if (value === undefined || Number.isNaN(value)) continue;
    const isMet = (least === undefined || value >= least) && (most === undefined || value <= most);
    const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
    print(
      `${name.padEnd(44)}${String(Number(value.toPrecision(3))).padStart(8)}  ${bound}  ${isMet ? 'met' : 'MISSED'}`,
    );
  }
}

/** Pairs of texts of different families that share a key; all others cannot raise an alarm. */
function countUnrelatedAlarms(documents: Document[]): { alarms: number; pairs: number; compared: number } {
  const byKey = new Map<number, number[]>();
  let alarms = 0;
  let compared = 0;
  documents.forEach((document, index) => {
    const others = new Set<number>();
    for (const key of document.keys) {
      const list = byKey.get(key);
      if (list) {
        for (const other of list) others.add(other);
        list.push(index);
      } else byKey.set(key, [index]);
    }
    for (const at of others) {
      const other = documents[at] as Document;
      if (other.family === document.family) continue;
      compared++;
      if (reconcile(other.set, document.set).length > 0) alarms++;
    }
  });
  return { alarms, compared, pairs: (documents.length * (documents.length - 1)) / 2 };
}

function main(): void {
  if (toldUsage(USAGE)) return;
  const { file, half, errors } = parseOptions(process.argv.slice(2));
  const pairs = readPairs(file).filter((pair) => half === undefined || isDev(pair) === (half === 'dev'));
  const { read, documents } = reader();
  const bySource = new Map<string, Tally>();
  const byKind = new Map<string, Tally>();
  const all = new Tally();
  const tallyOf = (tallies: Map<string, Tally>, name: string) => {
    const tally = tallies.get(name) ?? new Tally();
    tallies.set(name, tally);
    return tally;
  };
  let listed = 0;
  for (const pair of pairs) {
    const conflicts = conflictsOf(read(pair.a, familyOf(pair)), read(pair.b, familyOf(pair)));
    const isContradiction = pair.label === 'contradiction';
    const isFound = conflicts.length > 0;
    for (const tally of [all, tallyOf(bySource, pair.source), tallyOf(byKind, pair.kind)])
      tally.add(isContradiction, isFound);
    if (isFound === isContradiction || listed >= errors) continue;
    listed++;
    print(`${isFound ? 'false alarm' : 'missed'}: ${pair.id}, ${pair.source}, ${pair.kind}, ${pair.label}`);
    print(`  a: ${pair.a}\n  b: ${pair.b}`);
    for (const { reason } of conflicts.slice(0, 3)) print(`  ${reason}`);
  }
  printTable('source', bySource);
  printTable('kind', byKind);
  printTable('all', new Map([['all', all]]));
  const { alarms, compared, pairs: unrelated } = countUnrelatedAlarms([...documents.values()]);
  print(`unrelated documents: ${unrelated} pairs, ${compared} of them share a key, ${alarms} alarms\n`);
  const recall = (kind: string) => byKind.get(kind)?.recall;
  printTargets([
    { name: 'precision, all sources', value: all.precision, least: 0.93 },
    { name: 'alarms on consistent and neutral pairs', value: all.alarmRate, most: 0.015 },
    { name: 'alarms, policy', value: bySource.get('policy')?.alarmRate, most: 0.1 },
    { name: 'recall, number', value: recall('number'), least: 0.85 },
    { name: 'recall, percent', value: recall('percent'), least: 0.85 },
    { name: 'recall, bound', value: recall('bound'), least: 0.85 },
    { name: 'recall, date', value: recall('date'), least: 0.65 },
    { name: 'recall, negation', value: recall('negation'), least: 0.65 },
    { name: 'recall, all kinds', value: all.recall, least: 0.45 },
    { name: 'alarms in a million unrelated pairs', value: (alarms / unrelated) * 1e6, most: 100 },
  ]);
}

try {
  main();
} catch (error) {
  const expected =
    error instanceof StartError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`eval: ${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
