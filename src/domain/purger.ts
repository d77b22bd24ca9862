/** Removes, in small pieces and in the background, what deleted tenants and deleted and reset scopes have left behind. */
import type { Database } from '../storage/database.ts';
import { deleteLeftRows, deletePurgesDone, listPurges } from '../storage/purges.ts';
import { deleteEmptyTenant, deleteSomeKeys, deleteSomeScopes, findDeletedTenant } from '../storage/tenants.ts';

/** Rows of each kind at a time. */
const PIECE = 1000;
/** Scopes at a time: with each go up to a hundred points of convergence and four slots of metrics. */
const SCOPES = 200;

/** One piece of each; true when there may be more. */
export async function purgeSome(db: Database): Promise<boolean> {
  const tenants = await purgeTenant(db);
  return (await purgeScopes(db)) || tenants;
}

/** A deleted tenant loses its scopes, then its keys, then its row. Each piece can be the last before a crash. */
function purgeTenant(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const tenantId = await findDeletedTenant(tx);
    if (tenantId === null) return false;
    if ((await deleteSomeScopes(tx, tenantId, SCOPES)) > 0) return true;
    if ((await deleteSomeKeys(tx, tenantId, PIECE)) > 0) return true;
    // Not while somebody holds a scope of it, who will be undone.
    return deleteEmptyTenant(tx, tenantId);
  });
}

function purgeScopes(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const purges = await listPurges(tx, SCOPES);
    if (purges.length === 0) return false;
    await deleteLeftRows(tx, purges, PIECE);
    await deletePurgesDone(tx, purges);
    return true;
  });
}
