/** What documents say, group by group. Pure. */
import type { Reading } from '../../storage/readings.ts';

/** What one document says in a group: each value once, however often it says it. */
export interface Said {
  seq: number;
  values: number[];
}

/** In one pass: a document may speak of a thousand groups. */
export function saidIn({ seq, groups, values }: Pick<Reading, 'seq' | 'groups' | 'values'>): Map<number, Said> {
  const said = new Map<number, Said>();
  groups.forEach((group, at) => {
    const value = values[at] as number;
    const known = said.get(group);
    if (!known) said.set(group, { seq, values: [value] });
    else if (!known.values.includes(value)) known.values.push(value);
  });
  return said;
}

/** What several documents say in each group. */
export function saidInAll(readings: Pick<Reading, 'seq' | 'groups' | 'values'>[]): Map<number, Said[]> {
  const all = new Map<number, Said[]>();
  for (const reading of readings)
    for (const [group, said] of saidIn(reading)) {
      const list = all.get(group);
      if (list) list.push(said);
      else all.set(group, [said]);
    }
  return all;
}
