/** Tells by the name of a document which edition of something it is: 'docs/2.10/setup.md', 'calls/acme_q3_2021.txt'. */
import { MONTHS } from '../lexicon/months.ts';
import { hash53 } from './hash.ts';

/** A year or a date, a version, a quarter, or a word, which may be a month. */
const PART =
  /(?<![\p{L}\p{N}])(?:(?:19|20)\d\d(?:[-_.]?\d\d){0,2}|v?\d+(?:\.\d+)+|v\d+|q[1-4]|\p{L}+)(?![\p{L}\p{N}])/giu;

/** Before what it is an edition of, which is the name without these parts: only editions of one thing are told from each other. */
const EDITION = '#';

/** One term, or none where the name has no such part. */
export function editionOf(name: string): string[] {
  const parts: string[] = [];
  const rest = name.toLowerCase().replace(PART, (part) => {
    if (/^\p{L}+$/u.test(part) && !MONTHS.has(part)) return part;
    parts.push(part);
    return EDITION;
  });
  return parts.length === 0 ? [] : [`${EDITION}${hash53(rest)}:${parts.join(' ')}`];
}

export const isEdition = (term: string) => term.startsWith(EDITION);
