/** Scopes: named streams of documents that belong to a tenant. */
import { AppError } from '../errors.ts';
import { isForeignKeyViolation, type Queryable } from '../storage/database.ts';
import * as storage from '../storage/scopes.ts';
import { newScopeId } from './ids.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

export async function createScope(db: Queryable, tenantId: string, wishes: { scope_id?: string; name?: string }) {
  const scopeId = wishes.scope_id ?? newScopeId();
  const scope = await storage.insertScope(db, tenantId, scopeId, wishes.name ?? scopeId).catch((error) => {
    // A key outlives its tenant by the moment for which it is remembered.
    if (isForeignKeyViolation(error)) throw new AppError('unauthorized', 'The tenant of this key was deleted.');
    throw error;
  });
  if (!scope)
    throw new AppError('conflict', `Scope ${scopeId} exists already; choose another scope_id, or leave it out.`);
  return scope;
}

export async function listScopes(db: Queryable, tenantId: string, { cursor, limit }: Page) {
  const after = decodeCursor(cursor, /^[a-z0-9][a-z0-9-]{0,119}$/, '');
  return toPage(await storage.listScopes(db, tenantId, after, limit + 1), limit, (scope) => scope.scope_id);
}
