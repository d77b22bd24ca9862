/** How the groups of a scope change with its readings and contradictions: who leads, what is shared, what is in dispute. Pure. */
import type { GroupRow, StoredGroup } from '../../storage/groups.ts';

/** What a document says, by place: which value in which group. */
export interface Said {
  groups: number[];
  values: number[];
}

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
  added: Said[];
  removed: Said[];
  /** How many open contradictions more, or less, each group is a side of. */
  disputes: Map<number, number>;
  /** The number of the point of convergence that comes next. */
  point: number;
}

export interface GroupsPlan {
  /** As they are to be; one without documents goes. */
  rows: GroupRow[];
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
  const plan: GroupsPlan = { rows: [], groups: 0, shared: 0, disputed: 0, changed: 0 };
  const isOfLate = (at: number | null) => at !== null && at > change.point - CHANGED_POINTS;
  for (const [group, { added, removed, disputes }] of touchedBy(change)) {
    const stored = before.stored(group);
    const unfiled = before.unfiled(group);
    const was = stored ?? { ...countOf(group, unfiled), disputes: 0, changed_at: null };
    const leader = leaderOf(tallyOf(group, unfiled, stored, added, removed));
    const hasChanged = was.leader !== null && leader !== null && leader !== was.leader;
    const is: GroupRow = {
      group_key: group,
      documents: was.documents + added.length - removed.length,
      disputes: was.disputes + disputes,
      leader,
      changed_at: hasChanged ? change.point : was.changed_at,
    };
    plan.groups += Number(is.documents > 0) - Number(was.documents > 0);
    plan.shared += Number(isShared(is)) - Number(isShared(was));
    plan.disputed += Number(is.disputes > 0) - Number(was.disputes > 0);
    plan.changed += Number(is.documents > 0 && isOfLate(is.changed_at)) - Number(isOfLate(was.changed_at));
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
  const touched = new Map<number, Touched>();
  const of = (group: number): Touched => {
    const known = touched.get(group) ?? { added: [], removed: [], disputes: 0 };
    touched.set(group, known);
    return known;
  };
  for (const one of added) for (const group of new Set(one.groups)) of(group).added.push(one);
  for (const one of removed) for (const group of new Set(one.groups)) of(group).removed.push(one);
  for (const [group, step] of disputes) of(group).disputes += step;
  return touched;
}

const isShared = ({ documents, disputes }: Pick<GroupRow, 'documents' | 'disputes'>) =>
  documents > 1 || (documents > 0 && disputes > 0);

function countOf(group: number, unfiled: readonly Said[]) {
  const tally = new Map<number, number>();
  for (const one of unfiled) count(tally, group, one, 1);
  return { documents: unfiled.length, leader: leaderOf(tally) };
}

/** How many documents have each value after the change. Of those that only filed documents have, the first are enough. */
function tallyOf(
  group: number,
  unfiled: readonly Said[],
  stored: StoredGroup | undefined,
  added: Said[],
  removed: Said[],
): Map<number, number> {
  const tally = new Map(stored?.filed);
  for (const one of unfiled) count(tally, group, one, 1);
  for (const one of added) count(tally, group, one, 1);
  for (const one of removed) count(tally, group, one, -1);
  return tally;
}

/** A document counts once for each value, however often it says it. */
function count(tally: Map<number, number>, group: number, { groups, values }: Said, step: number): void {
  const own = new Set<number>();
  for (let at = 0; at < groups.length; at++) if (groups[at] === group) own.add(values[at] as number);
  for (const value of own) tally.set(value, (tally.get(value) ?? 0) + step);
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
