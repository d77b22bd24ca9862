/** npm run explain: says why two documents contradict each other, or why not. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { toldUsage } from '../../src/cli/usage.ts';
import { StartError } from '../../src/errors.ts';
import { type Document, readSource } from '../eval/read.ts';
import { print } from '../eval/tally.ts';
import { linesOf, sideBySide } from './columns.ts';
import { type Held, heldAgainst } from './held.ts';

const USAGE = `usage: npm run explain -- A.txt B.json
  Reads two files as two documents of one scope, each as the type that its ending says (txt, md, html, json, csv, tsv), and
  prints what each claims, which claims were held against each other, and for each pair the guard that kept it apart or the
  rule that found it.`;

function read(file: string): Document {
  try {
    return readSource({
      name: basename(file),
      type: extname(file).slice(1) || 'txt',
      text: readFileSync(file, 'utf8'),
    });
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Those that were found come first, then those that nearly were. */
const OUTCOMES: Held['outcome'][] = ['found', 'left out', 'agree', 'apart'];

function explain(a: Document, b: Document): void {
  const [left, right] = [a, b].map(({ source, claims: { claims } }, side) => {
    const letter = side === 0 ? 'a' : 'b';
    return [`${source.name} (${source.type}): ${claims.length} claims`, ...linesOf(claims, letter)];
  }) as [string[], string[]];
  for (const line of sideBySide(left, right)) print(line);
  print();
  const shared = [...a.keys].filter((key) => b.keys.has(key)).length;
  if (shared === 0) {
    print('They share no key: the service does not compare them.');
    return;
  }
  const held = heldAgainst(a.claims, b.claims);
  const all = a.claims.claims.length * b.claims.claims.length;
  print(`They share ${shared} keys. ${held.length} of ${all} pairs of claims were held against each other:`);
  for (const outcome of OUTCOMES)
    for (const { a: one, b: other, why } of held.filter((pair) => pair.outcome === outcome))
      print(`a${one + 1} b${other + 1} ${outcome}: ${why}`);
}

function main(): void {
  if (toldUsage(USAGE)) return;
  const [one, other, ...more] = process.argv.slice(2);
  if (one === undefined || other === undefined || more.length > 0) throw new StartError(USAGE);
  explain(read(one), read(other));
}

try {
  main();
} catch (error) {
  process.stderr.write(`explain: ${error instanceof StartError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
