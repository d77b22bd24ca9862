/** Takes away what versions of documents say, and all that came from it. */
import type { NewEvent } from '../../events/log.ts';
import { updateScopeForgotten } from '../../storage/batches.ts';
import type { Queryable } from '../../storage/database.ts';
import type { StoredVersion } from '../../storage/document-versions.ts';
import { findScopeHead, listReadings, listUnfiledInGroups, type Reading } from '../../storage/readings.ts';
import type { LockedScope } from '../../storage/scopes.ts';
import type { ContradictionsPlan } from './contradictions.ts';
import { planGroups } from './groups.ts';
import { listGroupsBefore } from './groups-before.ts';
import { contradictionEvents, countersOf } from './plan.ts';
import { planContradictions, writesOf } from './plan-contradictions.ts';
import { ScopeIndex } from './scope-index.ts';

/**
 * Counts them off, too, in a scope that the transaction has locked; their rows are the caller's, who also says by how many more
 * versions are superseded then. Returns how many documents of the scope still wait, and what is to be told.
 */
export async function forgetVersions(
  tx: Queryable,
  scope: LockedScope,
  versions: Pick<StoredVersion, 'seq' | 'state' | 'claims'>[],
  superseded: number,
): Promise<{ waiting: number; events: NewEvent[] }> {
  const seqs = versions.map(({ seq }) => seq);
  const states = { registered: 0, pending: 0, queued: 0, retrying: 0, processed: 0, failed: 0, superseded };
  for (const { state } of versions) states[state]--;
  const removed = await listReadings(tx, scope, seqs);
  const leaving = removed.map(({ seq }) => seq);
  const [contradictions] = await planContradictions(tx, [{ place: scope, conflicts: [], leaving, dropped: [] }]);
  if (!contradictions) throw new Error('what was asked for is not answered');
  const groups = await planGroupsWithout(tx, scope, removed, contradictions);
  await updateScopeForgotten(tx, {
    place: scope,
    contradictions: writesOf(contradictions),
    groups: groups.rows,
    counters: {
      ...states,
      claims: -versions.reduce((sum, { claims }) => sum + (claims ?? 0), 0),
      ...countersOf(groups, contradictions),
    },
    forget: leaving,
  });
  return {
    waiting: scope.queued + states.queued + scope.retrying + states.retrying,
    events: contradictionEvents(scope, contradictions),
  };
}

async function planGroupsWithout(
  tx: Queryable,
  scope: LockedScope,
  removed: Reading[],
  { disputes }: ContradictionsPlan,
) {
  const touched = new Set([...removed.flatMap(({ groups }) => groups), ...disputes.keys()]);
  const { filed_up_to, counts } = await findScopeHead(tx, scope);
  const index = new ScopeIndex(scope.generation);
  for (const reading of await listUnfiledInGroups(tx, scope, [...touched])) index.add(reading);
  const [before] = await listGroupsBefore(tx, [{ place: scope, index, filed_up_to, added: [], removed, disputes }]);
  if (!before) throw new Error('what was asked for is not answered');
  return planGroups(before, { added: [], removed, disputes, point: counts.point });
}
