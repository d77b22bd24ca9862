/** Counts the alarms among texts that have nothing to do with each other: all pairs of texts of different families. */
import { type Document, foundBetween } from './read.ts';

export interface Unrelated {
  pairs: number;
  /** Those that share a key; all others cannot raise an alarm. */
  compared: number;
  alarms: number;
  /** Of the alarms: between texts that are not unrelated at all, but one text with other figures. */
  variants: number;
}

export function countUnrelatedAlarms(documents: { family: string; document: Document }[]): Unrelated {
  const byKey = new Map<number, number[]>();
  const ofFamily = new Map<string, number>();
  const counts: Unrelated = { pairs: 0, compared: 0, alarms: 0, variants: 0 };
  for (const [index, { family, document }] of documents.entries()) {
    const related = ofFamily.get(family) ?? 0;
    ofFamily.set(family, related + 1);
    counts.pairs += index - related;
    const others = new Set<number>();
    for (const key of document.keys) {
      const list = byKey.get(key);
      if (list) {
        for (const other of list) others.add(other);
        list.push(index);
      } else byKey.set(key, [index]);
    }
    for (const at of others) {
      const other = documents[at] as (typeof documents)[number];
      if (other.family === family) continue;
      counts.compared++;
      if (foundBetween(other.document, document).length === 0) continue;
      counts.alarms++;
      if (areVariants(other.document, document)) counts.variants++;
    }
  }
  return counts;
}

/** Share of the words of both that each of them has. */
const LIKE_LEAST = 0.6;

function areVariants(a: Document, b: Document): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  return one.intersection(other).size / one.union(other).size >= LIKE_LEAST;
}

const wordsOf = ({ source: { text } }: Document) => new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
