/** claim_groups, what is claimed of one thing by however many documents, and claim_values, how many filed ones say what of it. */
import { wholeArray } from './array-params.ts';
import type { Queryable } from './database.ts';
import type { Place } from './readings.ts';

export interface GroupRow {
  group_key: number;
  documents: number;
  /** Open contradictions that it is a side of. */
  disputes: number;
  /** The value that most documents have, the lowest of those that as many have. */
  leader: number | null;
  /** The point at which another value began to lead. */
  changed_at: number | null;
}

/** A group as it is written. */
export interface NewGroup extends GroupRow {
  /** Whether several values are given for it. */
  varied: boolean;
  /** What it is found by, as soon as two documents speak of it; it keeps what it has. */
  words?: string[];
}

export interface StoredGroup extends GroupRow {
  /** How many of the filed documents have a value: those that were asked for, and those that lead among the others. */
  filed: Map<number, number>;
}

/** A group, how many leading values of it are wanted, and which others. */
export interface WantedGroup {
  place: Place;
  group_key: number;
  most: number;
  values: number[];
}

type Row = [
  nth: number,
  documents: number,
  disputes: number,
  leader: number | null,
  changed_at: number | null,
  values: number[],
  counts: number[],
];

/** Those that have a row, by scope. */
export async function listGroups(db: Queryable, wanted: WantedGroup[]): Promise<Map<Place, Map<number, StoredGroup>>> {
  const found = new Map<Place, Map<number, StoredGroup>>();
  if (wanted.length === 0) return found;
  const values = wanted.flatMap((group) => group.values.map((value) => ({ ...group, value })));
  const { rows } = await db.query<{ groups: Row[]; counts: [nth: number, documents: number][] }>(
    'select list_groups($1, $2, $3, $4) as groups, list_values($5, $6, $7, $8) as counts',
    [
      wholeArray(wanted, ({ place }) => place.scope_key),
      wholeArray(wanted, ({ place }) => place.generation),
      wholeArray(wanted, ({ group_key }) => group_key),
      wholeArray(wanted, ({ most }) => most),
      wholeArray(values, ({ place }) => place.scope_key),
      wholeArray(values, ({ place }) => place.generation),
      wholeArray(values, ({ group_key }) => group_key),
      wholeArray(values, ({ value }) => value),
    ],
  );
  for (const [nth, documents, disputes, leader, changed_at, leading, counts] of rows[0]?.groups ?? []) {
    const { place, group_key } = wanted[nth - 1] as WantedGroup;
    const filed = new Map(leading.map((value, at) => [value, counts[at] as number]));
    const ofScope = found.get(place) ?? new Map<number, StoredGroup>();
    found.set(place, ofScope.set(group_key, { group_key, documents, disputes, leader, changed_at, filed }));
  }
  for (const [nth, documents] of rows[0]?.counts ?? []) {
    const { place, group_key, value } = values[nth - 1] as (typeof values)[number];
    found.get(place)?.get(group_key)?.filed.set(value, documents);
  }
  return found;
}
