/** npm run explain: says why two documents contradict each other, or why not. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceUrl } from '../../src/cli/service-url.ts';
import { toldUsage } from '../../src/cli/usage.ts';
import { StartError } from '../../src/errors.ts';
import type { Document } from '../eval/read.ts';
import { print } from '../eval/tally.ts';
import { linesOf, sideBySide } from './columns.ts';
import { readFile, readStored } from './documents.ts';
import { heldAgainst } from './held.ts';

const USAGE = `usage: npm run explain -- A.txt B.json
       npm run explain -- --scope ID [--url URL] DOCUMENT_ID DOCUMENT_ID
  Reads two files as two documents of one scope, each as the type that its ending says (txt, md, html, json, csv, tsv), or
  two documents of a running service, and prints what each claims, which claims were held against each other, and for each
  pair the guard that kept it apart or the rule that found it. With --scope, the key of the tenant is read from the
  environment: DOCKET_TENANT_KEY. What an extractor of your own has read is read again here by the built-in one.`;

function explain(a: Document, b: Document): void {
  const [left, right] = [a, b].map(({ source, claims: { claims } }, side) => {
    const letter = side === 0 ? 'a' : 'b';
    return [`${basename(source.name)} (${source.type}): ${claims.length} claims`, ...linesOf(claims, letter)];
  }) as [string[], string[]];
  for (const line of sideBySide(left, right)) print(line);
  print();
  const shared = [...a.keys].filter((key) => b.keys.has(key)).length;
  if (shared === 0) {
    print('They share no key: the service does not compare them.');
    return;
  }
  const { held, whole } = heldAgainst(a.claims, b.claims);
  const all = a.claims.claims.length * b.claims.claims.length;
  print(`They share ${shared} keys. ${held.length} of ${all} pairs of claims were held against each other:`);
  for (const why of whole) print(why);
  for (const { a: one, b: other, outcome, why } of held) print(`a${one + 1} b${other + 1} ${outcome}: ${why}`);
}

async function main(): Promise<void> {
  if (toldUsage(USAGE)) return;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { scope: { type: 'string' }, url: { type: 'string' } },
  });
  const [one, other, ...more] = positionals;
  if (one === undefined || other === undefined || more.length > 0) throw new StartError(USAGE);
  const { scope } = values;
  if (scope === undefined) return explain(readFile(one), readFile(other));
  const url = serviceUrl(values.url);
  explain(await readStored(one, scope, url), await readStored(other, scope, url));
}

main().catch((error) => {
  const expected = error instanceof StartError || String(error.code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`explain: ${expected ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
