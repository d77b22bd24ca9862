/** The bodies that the bare route gets, and when it does not count as a measure. */
import { GENERATOR_LIMIT } from '../parts/report.ts';
import { scopeIdOf, sentencesOf, take } from '../parts/sentences.ts';
import { bodiesFile, KEY_MARK } from '../parts/wrk.ts';

/** Enough of them that no cache of a processor knows them. */
const BODIES = 2000;
const SCOPES = 50;
/** Not of any documents that are processed. */
const SEED = 77;

const files = new Map<boolean, string>();

/** A file of bodies of one sentence, in fifty scopes. */
export function bareBodies({ keys = false } = {}): string {
  const known = files.get(keys);
  if (known) return known;
  const sentences = take(sentencesOf({ seed: SEED, scopes: SCOPES, perScope: BODIES / SCOPES }), BODIES);
  const file = bodiesFile(
    sentences.map(({ scope, name, text }) =>
      JSON.stringify({ scope_id: scopeIdOf(scope), name, text, ...(keys && { idempotency_key: KEY_MARK }) }),
    ),
  );
  files.set(keys, file);
  return file;
}

/** A generator that was the bottleneck has measured itself. */
export const doubtOf = (generatorCpu: number): { doubt?: string } =>
  generatorCpu > GENERATOR_LIMIT ? { doubt: 'void: the generator was the bottleneck' } : {};
