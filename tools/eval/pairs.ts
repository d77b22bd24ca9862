/** Labelled pairs: how they are read, what type each side has, and which of them are set aside. */
import { createHash } from 'node:crypto';
import { StartError } from '../../src/errors.ts';
import { readLines } from './lines.ts';

export interface Pair {
  id: string;
  a: string;
  b: string;
  label: 'contradiction' | 'consistent' | 'neutral';
  kind: string;
  source: string;
  /** Prose where it is missing. */
  format?: string;
}

export const PARTS = ['tune', 'aside', 'all'] as const;
export type Part = (typeof PARTS)[number];

/** As which type of document a side of each format is posted. */
const TYPES = new Map(Object.entries({ prose: 'txt', kv: 'txt', md: 'md', json: 'json', csv: 'csv', html: 'html' }));

export function readPairs(file: string): Pair[] {
  return readLines<Pair>(file, ['id', 'a', 'b', 'label', 'kind', 'source']).map(({ line: pair, place }) => {
    if (!/^(?:contradiction|consistent|neutral)$/.test(pair.label))
      throw new StartError(`${place}: label is '${pair.label}', not contradiction, consistent or neutral`);
    if (!TYPES.has(pair.format ?? 'prose'))
      throw new StartError(`${place}: format is '${pair.format}', not ${[...TYPES.keys()].join(', ')}`);
    return pair;
  });
}

export const typeOf = ({ format = 'prose' }: Pair) => TYPES.get(format) as string;

/** Pairs made of one source text share what their ids have before the first '_'. */
const groupOf = ({ id }: Pair) => id.split('_', 1)[0] ?? id;

/** Variants of one claim, whose ids only differ in a last digit after noughts, are related, too. */
export const familyOf = (pair: Pair) => groupOf(pair).replace(/0{6}\d$/, '');

/**
 * Whether the pair is of the third that is set aside: its errors are never shown, so that no rule is made for it. The fifth
 * that was held out when the first rules were made (a last digit of 8 or 9) is part of it.
 */
export function isAside(pair: Pair): boolean {
  const hash = Number.parseInt(createHash('sha1').update(groupOf(pair)).digest('hex').slice(0, 8), 16);
  return (hash % 10) * 3 + (Math.floor(hash / 10) % 3) >= 20;
}

export const inPart = (pair: Pair, part: Part) => part === 'all' || isAside(pair) === (part === 'aside');
