/** Removes, in small pieces and in the background, what deleted tenants, scopes and documents and reset scopes have left behind. */
import type { Database, Queryable } from '../storage/database.ts';
import { deleteLeftRows, deletePurgesDone, listPurges } from '../storage/purges.ts';
import { deleteEmptyTenant, deleteSomeKeys, deleteSomeScopes, listDeletedTenants } from '../storage/tenants.ts';
import { purgeDocument } from './document-purger.ts';

/** Rows of each kind at a time. */
const PIECE = 1000;
/** Versions of a document at a time: whoever posts it again waits for that, and they may be long. */
const VERSIONS = 100;
/** Scopes at a time: with each go up to a hundred points of convergence and four slots of metrics. */
const SCOPES = 200;

/** Tenants that are looked at for one of which something can go: somebody may hold what is left of the others. */
const TENANTS = 100;

/** One piece of each, whatever becomes of the others; true when there may be more. */
export async function purgeSome(db: Database): Promise<boolean> {
  let isMore = false;
  const errors: unknown[] = [];
  for (const purge of [purgeTenants, purgeScopes, purgeDocuments])
    isMore = (await purge(db).catch((error) => void errors.push(error))) || isMore;
  if (errors.length > 0) throw errors[0];
  return isMore;
}

function purgeDocuments(db: Database): Promise<boolean> {
  return db.transaction((tx) => purgeDocument(tx, VERSIONS));
}

function purgeTenants(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    for (const tenantId of await listDeletedTenants(tx, TENANTS)) if (await purgeTenant(tx, tenantId)) return true;
    return false;
  });
}

/** A deleted tenant loses its scopes, then its keys, then its row. Each piece can be the last before a crash. */
async function purgeTenant(tx: Queryable, tenantId: string): Promise<boolean> {
  if ((await deleteSomeScopes(tx, tenantId, SCOPES)) > 0) return true;
  if ((await deleteSomeKeys(tx, tenantId, PIECE)) > 0) return true;
  // Not while somebody holds a scope of it, who will be undone.
  return deleteEmptyTenant(tx, tenantId);
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
