/** How the groups of a scope change with its readings and contradictions: who leads, what is shared, what is in dispute. Pure. */
import type { GroupRow, NewGroup, StoredGroup } from '../../storage/groups.ts';
import type { Reading } from '../../storage/readings.ts';
import { type Said, saidInAll } from './said.ts';

/**
 * A group without a row has no more than one document, which is not filed, and no dispute; its leading value has never
 * changed.
 */
export interface GroupsBefore {
  stored(group: number): StoredGroup | undefined;
  /** What is said in it by documents that are not filed. */
  unfiled(group: number): readonly Said[];
}

export interface GroupsChange {
  added: Reading[];
  removed: Reading[];
  /** How many open contradictions more, or less, each group is a side of. */
  disputes: Map<number, number>;
  /** The number of the point of convergence that comes next. */
  point: number;
}

export interface GroupsPlan {
  /** As they are to be; one without documents and disputes goes. */
  rows: NewGroup[];
  /** Those that two documents speak of now, and did not before. */
  found: Set<number>;
  /** What is to be added to the counters of the scope. */
  groups: number;
  shared: number;
  disputed: number;
  /** To those whose leader has changed of late. */
  changed: number;
}

/** A change of the leader is told of for so many points. */
const CHANGED_POINTS = 5;

export function planGroups(before: GroupsBefore, change: GroupsChange): GroupsPlan {
  const plan: GroupsPlan = { rows: [], found: new Set(), groups: 0, shared: 0, disputed: 0, changed: 0 };
  const isOfLate = (at: number | null) => at !== null && at > change.point - CHANGED_POINTS;
  for (const [group, { added, removed, disputes }] of touchedBy(change)) {
    const stored = before.stored(group);
    const unfiled = before.unfiled(group);
    const was = stored ?? { ...countOf(unfiled), disputes: 0, changed_at: null };
    const tally = tallyOf(unfiled, stored, added, removed);
    const leader = leaderOf(tally);
    const hasChanged = was.leader !== null && leader !== null && leader !== was.leader;
    const documents = was.documents + added.length - removed.length;
    const is: NewGroup = {
      group_key: group,
      documents,
      disputes: was.disputes + disputes,
      leader,
      // One that is kept for its disputes alone has no leader that could have changed.
      changed_at: documents <= 0 ? null : hasChanged ? change.point : was.changed_at,
      varied: isVaried(tally),
    };
    plan.groups += Number(is.documents > 0) - Number(was.documents > 0);
    plan.shared += Number(isShared(is)) - Number(isShared(was));
    plan.disputed += Number(is.disputes > 0) - Number(was.disputes > 0);
    plan.changed += Number(is.documents > 0 && isOfLate(is.changed_at)) - Number(isOfLate(was.changed_at));
    if (was.documents < 2 && is.documents > 1) plan.found.add(group);
    if (stored || isShared(is) || is.changed_at !== null) plan.rows.push(is);
  }
  return plan;
}

interface Touched {
  added: Said[];
  removed: Said[];
  disputes: number;
}

function touchedBy({ added, removed, disputes }: GroupsChange): Map<number, Touched> {
  const [more, less] = [saidInAll(added), saidInAll(removed)];
  const groups = new Set([...more.keys(), ...less.keys(), ...disputes.keys()]);
  return new Map(
    [...groups].map((group) => [
      group,
      { added: more.get(group) ?? [], removed: less.get(group) ?? [], disputes: disputes.get(group) ?? 0 },
    ]),
  );
}

const isShared = ({ documents, disputes }: Pick<GroupRow, 'documents' | 'disputes'>) =>
  documents > 1 || (documents > 0 && disputes > 0);

function isVaried(tally: Map<number, number>): boolean {
  let values = 0;
  for (const documents of tally.values()) if (documents > 0 && ++values > 1) return true;
  return false;
}

function countOf(unfiled: readonly Said[]) {
  const tally = new Map<number, number>();
  count(tally, unfiled, 1);
  return { documents: unfiled.length, leader: leaderOf(tally) };
}

/** How many documents have each value after the change. Of those that only filed documents have, the first are enough. */
function tallyOf(
  unfiled: readonly Said[],
  stored: StoredGroup | undefined,
  added: Said[],
  removed: Said[],
): Map<number, number> {
  const tally = new Map(stored?.filed);
  count(tally, unfiled, 1);
  count(tally, added, 1);
  count(tally, removed, -1);
  return tally;
}

function count(tally: Map<number, number>, said: readonly Said[], step: number): void {
  for (const { values } of said) for (const value of values) tally.set(value, (tally.get(value) ?? 0) + step);
}

function leaderOf(tally: Map<number, number>): number | null {
  let leader: number | null = null;
  let most = 0;
  for (const [value, documents] of tally)
    if (documents > most || (documents === most && documents > 0 && leader !== null && value < leader)) {
      leader = value;
      most = documents;
    }
  return leader;
}
