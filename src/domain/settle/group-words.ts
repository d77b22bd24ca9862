/**
 * Which words a group is found by, from when two documents speak of it: those of the documents that made it so, and one that all
 * have. Pure.
 */
import { EVERY_FACT } from '../../storage/fact-pages.ts';
import type { NewGroup } from '../../storage/groups.ts';
import type { NewReading } from '../../storage/readings.ts';
import { wordsOf } from '../words.ts';
import type { GroupsPlan } from './groups.ts';

/** A subject and an attribute have six or seven; each is a row. */
const MAX_WORDS = 16;

export function withWords(
  { rows, found }: Pick<GroupsPlan, 'rows' | 'found'>,
  readings: Pick<NewReading, 'groups' | 'labels'>[],
): NewGroup[] {
  if (found.size === 0) return rows;
  const labels = new Map<number, Set<string>>([...found].map((group) => [group, new Set()]));
  for (const { groups, labels: its } of readings)
    groups.forEach((group, at) => {
      labels.get(group)?.add(its[at] as string);
    });
  return rows.map((row) => {
    const its = labels.get(row.group_key);
    return its ? { ...row, words: [EVERY_FACT, ...wordsOf([...its].join(' ')).slice(0, MAX_WORDS)] } : row;
  });
}
