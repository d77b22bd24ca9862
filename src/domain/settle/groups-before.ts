/** Looks up what is stored of the groups that a change touches. */
import type { Queryable } from '../../storage/database.ts';
import { listGroups, type WantedGroup } from '../../storage/groups.ts';
import type { Place, Reading } from '../../storage/readings.ts';
import type { GroupsBefore, GroupsChange } from './groups.ts';
import { type Said, saidInAll } from './said.ts';
import type { ScopeIndex } from './scope-index.ts';

export interface TouchedGroups extends Pick<GroupsChange, 'disputes'> {
  place: Place;
  /** With all that is not filed and is in one of these groups. */
  index: Pick<ScopeIndex, 'inGroup'>;
  filed_up_to: number;
  added: Reading[];
  removed: Reading[];
}

/** For each change, in order. */
export async function listGroupsBefore(db: Queryable, changes: TouchedGroups[]): Promise<GroupsBefore[]> {
  const found = await listGroups(db, changes.flatMap(wantedOf));
  return changes.map(({ place, index }) => {
    const rows = found.get(place);
    return { stored: (group) => rows?.get(group), unfiled: (group) => index.inGroup(group) };
  });
}

function wantedOf(change: TouchedGroups): WantedGroup[] {
  const { place, index, filed_up_to, added, removed, disputes } = change;
  const changed = saidInAll([...added, ...removed]);
  const groups = [...new Set([...changed.keys(), ...disputes.keys()])];
  // Where nothing is filed, a group that is not in memory is nowhere, unless a dispute has outlived its documents.
  if (filed_up_to < 0)
    return groups
      .filter((group) => index.inGroup(group).length > 0 || disputes.has(group))
      .map((group_key) => ({ place, group_key, most: 0, values: [] }));
  const lowered = saidInAll(removed.filter(({ seq }) => seq <= filed_up_to));
  return groups.map((group_key) => {
    const said = [...index.inGroup(group_key), ...(changed.get(group_key) ?? [])];
    // One that leads now may not when some of its documents are gone: the first two of those that stay as they are are among
    // these, which tells who leads then, and whether there is another.
    const most = 2 + valuesOf(lowered.get(group_key) ?? []).length;
    return { place, group_key, most, values: valuesOf(said) };
  });
}

const valuesOf = (said: readonly Said[]) => [...new Set(said.flatMap(({ values }) => values))];
