/** What becomes of detected contradictions when documents of their scope are settled or deleted. Pure. */
import type { DetectedContradiction, NewConflict } from '../../storage/contradictions.ts';

export interface ContradictionsPlan {
  added: NewConflict[];
  /** Found again by a new version of a document: the same contradiction, decided as it was. */
  moved: { id: string; conflict: NewConflict }[];
  reopened: { contradiction: DetectedContradiction; evidence: string }[];
  gone: DetectedContradiction[];
  /** What is to be added to the counters of the scope. */
  open: number;
  resolved: number;
  deferred: number;
  critical: number;
  /** How many open ones more, or less, each group is a side of. */
  disputes: Map<number, number>;
}

export function planContradictions(conflicts: NewConflict[], stored: DetectedContradiction[]): ContradictionsPlan {
  const known = new Map(stored.filter(({ why }) => why === 'pair').map((one) => [one.pair, one]));
  const added: NewConflict[] = [];
  const moved: ContradictionsPlan['moved'] = [];
  for (const conflict of conflicts) {
    const same = known.get(conflict.pair);
    if (same) moved.push({ id: same.id, conflict });
    else added.push(conflict);
  }
  added.sort((one, other) => (one.pair < other.pair ? -1 : 1));
  const stays = new Set(moved.map(({ id }) => id));
  const gone = [
    ...new Map(
      stored.filter(({ id, why }) => (why === 'side' || why === 'id') && !stays.has(id)).map((one) => [one.id, one]),
    ).values(),
  ];
  const reopened = reopenedBy(added, stored, new Set(gone.map(({ id }) => id)));

  const plan: ContradictionsPlan = {
    ...{ added, moved, reopened, gone },
    ...{ open: 0, resolved: 0, deferred: 0, critical: 0, disputes: new Map() },
  };
  for (const { group_a, group_b, severity } of added) countOpen(plan, [group_a, group_b], severity, 1);
  for (const { contradiction } of reopened) {
    plan.resolved--;
    countOpen(plan, contradiction.groups, contradiction.severity, 1);
  }
  for (const { status, groups, severity } of gone)
    if (status === 'open') countOpen(plan, groups, severity, -1);
    else plan[status]--;
  return plan;
}

/** A resolution stands until a document from outside contradicts what it upholds. */
function reopenedBy(added: NewConflict[], stored: DetectedContradiction[], gone: Set<string>) {
  const resolved = new Map<string, Map<string, DetectedContradiction>>();
  for (const one of stored) {
    if (one.why !== 'upheld' || gone.has(one.id)) continue;
    for (const { group, value } of one.upheld) {
      const name = `${group} ${value}`;
      resolved.set(name, (resolved.get(name) ?? new Map()).set(one.id, one));
    }
  }
  const reopened = new Map<string, ContradictionsPlan['reopened'][number]>();
  for (const conflict of added) {
    const { group_a, value_a, document_a, group_b, value_b, document_b } = conflict;
    const witnesses: [string, string][] = [
      [`${group_a} ${value_a}`, document_b],
      [`${group_b} ${value_b}`, document_a],
    ];
    for (const [name, witness] of witnesses)
      for (const contradiction of resolved.get(name)?.values() ?? [])
        if (!contradiction.documents.includes(witness) && !reopened.has(contradiction.id))
          reopened.set(contradiction.id, { contradiction, evidence: conflict.contradiction_id });
  }
  return [...reopened.values()];
}

function countOpen(plan: ContradictionsPlan, groups: number[], severity: string, step: number): void {
  plan.open += step;
  if (severity === 'critical') plan.critical += step;
  for (const group of new Set(groups)) plan.disputes.set(group, (plan.disputes.get(group) ?? 0) + step);
}
