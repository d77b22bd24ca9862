/** npm run eval: judges the rules by labelled pairs, by corpora that nobody has labelled, and by made-up records. */
import { toldUsage } from '../../src/cli/usage.ts';
import { StartError } from '../../src/errors.ts';
import { judgeCorpus } from './judge-corpus.ts';
import { judgePairs } from './judge-pairs.ts';
import { printRecords } from './judge-records.ts';
import { parseOptions, USAGE } from './options.ts';

function main(): void {
  if (toldUsage(USAGE)) return;
  const options = parseOptions(process.argv.slice(2));
  if (options.mode === 'pairs') for (const file of options.files) judgePairs(file, options);
  if (options.mode === 'corpus') for (const file of options.files) judgeCorpus(file, options);
  if (options.mode === 'records') printRecords(options.seed, options.errors);
}

try {
  main();
} catch (error) {
  const expected =
    error instanceof StartError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`eval: ${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
