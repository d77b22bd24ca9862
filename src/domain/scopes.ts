/** Scopes: named streams of documents that belong to a tenant. Making them is `new-scopes.ts`. */
import { notFound } from '../errors.ts';
import { appendEvents } from '../events/log.ts';
import { deletePoints } from '../storage/convergence.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { deleteLane } from '../storage/lanes.ts';
import { insertPurge } from '../storage/purges.ts';
import { deleteScopeMetrics } from '../storage/scope-figures.ts';
import type { LockedScope, ScopeHandle, ScopeRow } from '../storage/scopes.ts';
import * as storage from '../storage/scopes.ts';
import type { Access } from './access.ts';
import { short } from './actor.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

/** Where the rows of a scope are; 404 for a scope of another tenant as for one that does not exist. */
export async function requireScope(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeHandle> {
  const scope = await storage.findScope(db, tenantId, scopeId);
  if (!scope) throw notFound(`Scope ${scopeId}`);
  return scope;
}

/** The same, locked to the end of the transaction: its counters and documents stay as they are until then. */
export async function lockScope(tx: Queryable, tenantId: string, scopeId: string): Promise<LockedScope> {
  const scope = await storage.findScopeForUpdate(tx, tenantId, scopeId);
  if (!scope) throw notFound(`Scope ${scopeId}`);
  return scope;
}

/**
 * Empties it: what it held is out of sight at once and purged afterwards, and its numbers begin again at 0. A batch in
 * work loses its lane and with it the right to write. The queue is not touched.
 */
export function resetScope(db: Database, tenantId: string, scopeId: string, deed: Deed) {
  return db.transaction(async (tx) => {
    const scope = await lockScope(tx, tenantId, scopeId);
    const deleted = await storage.updateScopeReset(tx, scope);
    await deleteLane(tx, scope.scope_key);
    await deleteScopeMetrics(tx, scope.scope_key);
    await deletePoints(tx, scope.scope_key);
    await insertPurge(tx, scope);
    await noteDeeds(tx, deed, { action: 'scope.reset', tenant_id: tenantId, scope_id: scopeId, before: deleted });
    await appendEvents(tx, [{ type: 'scope.reset', tenant_id: tenantId, scope_id: scopeId, payload: deleted }]);
    return { scope_id: scopeId, deleted };
  });
}

/** Out of sight at once; what it held is purged afterwards. */
export async function deleteScope(db: Database, tenantId: string, scopeId: string, deed: Deed): Promise<void> {
  await db.transaction(async (tx) => {
    const was = await storage.deleteScope(tx, tenantId, scopeId);
    if (!was) throw notFound(`Scope ${scopeId}`);
    const before = { name: short(was.name), documents: was.documents };
    await noteDeeds(tx, deed, { action: 'scope.deleted', tenant_id: tenantId, scope_id: scopeId, before });
    await appendEvents(tx, [{ type: 'scope.deleted', tenant_id: tenantId, scope_id: scopeId, payload: {} }]);
  });
}

export async function getScope(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeRow> {
  const scope = await storage.findScopeRow(db, tenantId, scopeId);
  if (!scope) throw notFound(`Scope ${scopeId}`);
  return scope;
}

export async function listScopes(db: Queryable, tenantId: string, { scopeIds }: Access, { cursor, limit }: Page) {
  const after = decodeCursor('scopes', cursor, /^[a-z0-9][a-z0-9-]{0,119}$/, '');
  const rows = await storage.listScopes(db, tenantId, scopeIds && [...scopeIds], after, limit + 1);
  return toPage('scopes', rows, limit, (scope) => scope.scope_id);
}
