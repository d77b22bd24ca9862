/** What `npm run eval` may be asked for. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../src/errors.ts';
import { PARTS, type Part } from './pairs.ts';

export const USAGE = `usage: npm run eval -- [FILE.jsonl|FOLDER …] [--part tune|aside|all] [--errors [N]]
       npm run eval -- --corpus FILE.jsonl.gz … [--seed N] [--plant N] [--sample N] [--out FILE.jsonl]
       npm run eval -- --records [--seed N] [--errors [N]]
  Pairs, one a line: {"id", "a", "b", "label": "contradiction"|"consistent"|"neutral", "kind", "source", "format"}. A folder
  stands for its *-pairs.jsonl, and ../shared/data for none.
  --part    all pairs, or without the third that is set aside, or only that: then with nothing but its totals
  --errors  lists what was judged wrong or missed, N of it (20); never of the third that is set aside
  Corpora, one document a line: {"name", "type", "text"}. Each is taken as one scope, and nothing is posted.
  --corpus  finds its contradictions, and those that were planted in it
  --plant   so many contradictions are planted (30)
  --sample  prints so many of the others, to be read (10)
  --out     writes all that was detected
  --records judges made-up records of several kinds, with contradictions planted among them
  --seed    other plants, another sample, other records (1)`;

export interface Options {
  mode: 'pairs' | 'corpus' | 'records';
  files: string[];
  part: Part;
  errors: number;
  seed: number;
  plant: number;
  sample: number;
  out: string | undefined;
}

/** Beside a clean copy of the project. */
const DATA = '../shared/data';

export function parseOptions(args: string[]): Options {
  // '--errors' may stand without a number.
  const given = args.map((arg, index) =>
    arg === '--errors' && !/^\d+$/.test(args[index + 1] ?? '') ? '--errors=20' : arg,
  );
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      part: { type: 'string', default: 'all' },
      errors: { type: 'string', default: '0' },
      corpus: { type: 'boolean', default: false },
      records: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      plant: { type: 'string', default: '30' },
      sample: { type: 'string', default: '10' },
      out: { type: 'string' },
    },
  });
  const part = PARTS.find((name) => name === values.part);
  if (!part) throw new StartError(`--part: expected ${PARTS.join(', ')}`);
  const mode = modeOf(values);
  const [errors, seed, plant, sample] = (['errors', 'seed', 'plant', 'sample'] as const).map((name) => {
    if (!/^\d{1,6}$/.test(values[name])) throw new StartError(`--${name}: expected a number`);
    return Number(values[name]);
  }) as [number, number, number, number];
  const files = filesOf(mode, positionals);
  if (values.out !== undefined && (mode !== 'corpus' || files.length !== 1))
    throw new StartError('--out: expected one corpus');
  return { mode, files, part, errors, seed, plant, sample, out: values.out };
}

function modeOf({ corpus, records }: { corpus: boolean; records: boolean }): Options['mode'] {
  if (corpus && records) throw new StartError('--corpus and --records are judged one at a time');
  if (corpus) return 'corpus';
  return records ? 'records' : 'pairs';
}

function filesOf(mode: Options['mode'], given: string[]): string[] {
  if (mode === 'records' && given.length > 0)
    throw new StartError('--records: expected no file, since they are made up');
  if (mode === 'records') return [];
  if (mode === 'pairs' && given.length === 0 && existsSync(DATA)) return filesIn(DATA, '-pairs.jsonl');
  if (given.length === 0) throw new StartError(USAGE);
  const ending = mode === 'pairs' ? '-pairs.jsonl' : '.jsonl.gz';
  return given.flatMap((path) => (isFolder(path) ? filesIn(path, ending) : [path]));
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (names.length === 0) throw new StartError(`${folder} has no file whose name ends in ${ending}`);
  return names.sort().map((name) => join(folder, name));
}
