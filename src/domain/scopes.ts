/** Scopes: named streams of documents that belong to a tenant. */
import { AppError, notFound } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import { deletePoints } from '../storage/convergence.ts';
import { type Database, isForeignKeyViolation, type Queryable } from '../storage/database.ts';
import { deleteLane } from '../storage/lanes.ts';
import { insertPurge } from '../storage/purges.ts';
import { deleteScopeMetrics } from '../storage/scope-figures.ts';
import type { LockedScope, ScopeHandle } from '../storage/scopes.ts';
import * as storage from '../storage/scopes.ts';
import { newScopeId } from './ids.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

export async function createScope(db: Database, tenantId: string, wishes: { scope_id?: string; name?: string }) {
  const scopeId = wishes.scope_id ?? newScopeId();
  const name = wishes.name ?? scopeId;
  try {
    return await db.transaction(async (tx) => {
      const scope = await storage.insertScope(tx, tenantId, scopeId, name);
      if (!scope)
        throw new AppError('conflict', `Scope ${scopeId} exists already; choose another scope_id, or leave it out.`);
      await appendEvents(tx, [{ type: 'scope.created', tenant_id: tenantId, scope_id: scopeId, payload: { name } }]);
      return scope;
    });
  } catch (error) {
    // A key outlives its tenant by the moment for which it is remembered.
    if (isForeignKeyViolation(error)) throw new AppError('unauthorized', 'The tenant of this key was deleted.');
    throw error;
  }
}

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

/** For the routes that make a scope on first use. The events are for the end of the caller's transaction. */
export async function lockOrCreateScope(
  tx: Queryable,
  tenantId: string,
  scopeId: string,
): Promise<{ scope: LockedScope; events: NewEvent[] }> {
  const { scopes, created } = await lockOrCreateScopes(tx, [{ tenant_id: tenantId, scope_id: scopeId }]);
  return { scope: scopes[0] as LockedScope, events: created };
}

/** The same for many scopes of many tenants at once. */
export async function lockOrCreateScopes(
  tx: Queryable,
  wanted: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>[],
): Promise<{ scopes: LockedScope[]; created: NewEvent[] }> {
  const scopes = await storage.lockScopesAcrossTenants(tx, wanted);
  const created: NewEvent[] = [];
  while (scopes.length < wanted.length) {
    const missing = wanted.filter((name) => !scopes.some((scope) => isSame(scope, name)));
    const made = await storage.insertScopesAcrossTenants(tx, missing);
    created.push(...made.map(toCreated));
    scopes.push(...made);
    // What neither was there nor could be made was made by another process just now, and is there to be locked.
    if (made.length < missing.length) {
      const late = missing.filter((name) => !made.some((scope) => isSame(scope, name)));
      scopes.push(...(await storage.lockScopesAcrossTenants(tx, late)));
    }
  }
  return { scopes, created };
}

/** The same without waiting: `locked` are those that others have locked, or are making at this moment. */
export async function lockFreeOrCreateScopes(tx: Queryable, wanted: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>[]) {
  const free = await storage.lockScopesAcrossTenants(tx, wanted, false);
  const missing = wanted.filter((name) => !free.some((scope) => isSame(scope, name)));
  const made = missing.length > 0 ? await storage.insertScopesAcrossTenants(tx, missing) : [];
  const locked = missing.filter((name) => !made.some((scope) => isSame(scope, name)));
  return { scopes: [...free, ...made], created: made.map(toCreated), locked };
}

const toCreated = ({ tenant_id, scope_id }: LockedScope): NewEvent => ({
  type: 'scope.created',
  tenant_id,
  scope_id,
  payload: { name: scope_id },
});

const isSame = (a: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>, b: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>) =>
  a.tenant_id === b.tenant_id && a.scope_id === b.scope_id;

/**
 * Empties it: what it held is out of sight at once and purged afterwards, and its numbers begin again at 0. A batch in
 * work loses its lane and with it the right to write. The queue is not touched.
 */
export function resetScope(db: Database, tenantId: string, scopeId: string) {
  return db.transaction(async (tx) => {
    const scope = await lockScope(tx, tenantId, scopeId);
    const deleted = await storage.updateScopeReset(tx, scope);
    await deleteLane(tx, scope.scope_key);
    await deleteScopeMetrics(tx, scope.scope_key);
    await deletePoints(tx, scope.scope_key);
    await insertPurge(tx, scope);
    await appendEvents(tx, [{ type: 'scope.reset', tenant_id: tenantId, scope_id: scopeId, payload: deleted }]);
    return { scope_id: scopeId, deleted };
  });
}

/** Out of sight at once; what it held is purged afterwards. */
export async function deleteScope(db: Database, tenantId: string, scopeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await storage.deleteScope(tx, tenantId, scopeId))) throw notFound(`Scope ${scopeId}`);
    await appendEvents(tx, [{ type: 'scope.deleted', tenant_id: tenantId, scope_id: scopeId, payload: {} }]);
  });
}

export async function listScopes(db: Queryable, tenantId: string, { cursor, limit }: Page) {
  const after = decodeCursor(cursor, /^[a-z0-9][a-z0-9-]{0,119}$/, '');
  return toPage(await storage.listScopes(db, tenantId, after, limit + 1), limit, (scope) => scope.scope_id);
}
