/** What older rules have read is read again by newer ones: when that is done of a scope, and how far it has come. */
import { RULES } from '../pipeline/claim.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { findRereadProgressAcrossTenants, updateRereads, updateScopeReread } from '../storage/rereads.ts';
import { findScopeForUpdate, type ScopeHandle } from '../storage/scopes.ts';
import type { Convergence } from './convergence.ts';

/** Notes that all of a scope was read by the rules in force; false when that is not so, or somebody else has. Its next point of convergence is the first that compares like with like. */
export function finishReread(
  db: Pick<Database, 'transaction'>,
  scope: ScopeHandle,
  convergence: Pick<Convergence, 'note'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await findScopeForUpdate(tx, scope.tenant_id, scope.scope_id);
    if (locked?.scope_key !== scope.scope_key) return false;
    const isReread = await updateScopeReread(tx, locked, RULES);
    if (isReread) await convergence.note(tx, locked, []);
    return isReread !== null;
  });
}

/** So many scopes are counted; more are as many. */
export const MAX_COUNTED = 100_000;
const MAX_SHOWN = 3;

export function findRereadProgress(db: Queryable) {
  return findRereadProgressAcrossTenants(db, RULES, { most: MAX_COUNTED, shown: MAX_SHOWN });
}

/** For all nodes; what is in hand is settled. */
export function setRereads(db: Queryable, isOn: boolean): Promise<void> {
  return updateRereads(db, isOn);
}
