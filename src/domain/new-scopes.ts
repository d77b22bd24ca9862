/** Scopes are made by an operator or on first use, as many as their tenant may have. */
import { AppError, tenantDeleted } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import type { Database, Queryable } from '../storage/database.ts';
import type { LockedScope, ScopeHandle } from '../storage/scopes.ts';
import * as storage from '../storage/scopes.ts';
import { findTenantStanding, listTenantStandings } from '../storage/tenants.ts';
import { short } from './actor.ts';
import { type Deed, noteDeeds } from './audit.ts';
import { newScopeId } from './ids.ts';

/** `most` is how many a tenant may have that has no limit of its own, here and below. */
export function createScope(
  db: Database,
  tenantId: string,
  wishes: { scope_id?: string; name?: string },
  most: number,
  deed: Deed,
) {
  const scopeId = wishes.scope_id ?? newScopeId();
  const name = wishes.name ?? scopeId;
  return db.transaction(async (tx) => {
    const scope = await storage.insertScope(tx, tenantId, scopeId, name);
    if (!scope)
      throw new AppError('conflict', `Scope ${scopeId} exists already; choose another scope_id, or leave it out.`);
    const standing = await findTenantStanding(tx, tenantId);
    if (!standing) throw tenantDeleted();
    if (standing.scopes > (standing.limits.scopes ?? most)) throw noRoom();
    const after = { name: short(name) };
    await noteDeeds(tx, deed, { action: 'scope.created', tenant_id: tenantId, scope_id: scopeId, after });
    await appendEvents(tx, [{ type: 'scope.created', tenant_id: tenantId, scope_id: scopeId, payload: { name } }]);
    return scope;
  });
}

/** For the routes that make a scope on first use. The events are for the end of the caller's transaction. */
export async function lockOrCreateScope(
  tx: Queryable,
  tenantId: string,
  scopeId: string,
  most: number,
): Promise<{ scope: LockedScope; events: NewEvent[] }> {
  const { scopes, created, refused } = await lockOrCreateScopes(tx, [{ tenant_id: tenantId, scope_id: scopeId }], most);
  for (const error of refused.values()) throw error;
  return { scope: scopes[0] as LockedScope, events: created };
}

type ScopeName = Pick<ScopeHandle, 'tenant_id' | 'scope_id'>;
const nameOf = ({ tenant_id, scope_id }: ScopeName) => `${tenant_id} ${scope_id}`;

/** The same for many scopes of many tenants at once; why some of them may not be made is told by the name of the scope. */
export async function lockOrCreateScopes(
  tx: Queryable,
  wanted: ScopeName[],
  most: number,
): Promise<{ scopes: LockedScope[]; created: NewEvent[]; refused: Map<string, AppError> }> {
  const scopes = await storage.lockScopesAcrossTenants(tx, wanted);
  const created: NewEvent[] = [];
  const refused = new Map<string, AppError>();
  for (;;) {
    const there = new Set(scopes.map(nameOf));
    const missing = wanted.filter((name) => !there.has(nameOf(name)) && !refused.has(nameOf(name)));
    if (missing.length === 0) return { scopes, created, refused };
    const allowed = await allowScopes(tx, missing, most, refused);
    const made = allowed.length > 0 ? await storage.insertScopesAcrossTenants(tx, allowed) : [];
    created.push(...made.map(toCreated));
    scopes.push(...made);
    // What neither was there nor could be made was made by another process just now, and is there to be locked.
    if (made.length < allowed.length) {
      const mine = new Set(made.map(nameOf));
      const late = allowed.filter((name) => !mine.has(nameOf(name)));
      scopes.push(...(await storage.lockScopesAcrossTenants(tx, late)));
    }
  }
}

/** The same without waiting: those that are neither here nor refused, others have locked or are making at this moment. */
export async function lockFreeOrCreateScopes(tx: Queryable, wanted: ScopeName[], most: number) {
  const refused = new Map<string, AppError>();
  const free = await storage.lockScopesAcrossTenants(tx, wanted, false);
  const taken = new Set(free.map(nameOf));
  const left = wanted.filter((name) => !taken.has(nameOf(name)));
  for (const name of left.length > 0 ? await storage.listScopeNamesAcrossTenants(tx, left) : [])
    taken.add(nameOf(name));
  const missing = left.filter((name) => !taken.has(nameOf(name)));
  const allowed = missing.length > 0 ? await allowScopes(tx, missing, most, refused) : [];
  const made = allowed.length > 0 ? await storage.insertScopesAcrossTenants(tx, allowed) : [];
  return { scopes: [...free, ...made], created: made.map(toCreated), refused };
}

const toCreated = ({ tenant_id, scope_id }: ScopeName): NewEvent => ({
  type: 'scope.created',
  tenant_id,
  scope_id,
  payload: { name: scope_id },
});

/** Those that their tenants have room for, in order. Those who make scopes in the same moment may overshoot a limit together. */
async function allowScopes(
  tx: Queryable,
  missing: ScopeName[],
  most: number,
  refused: Map<string, AppError>,
): Promise<ScopeName[]> {
  const standings = await listTenantStandings(tx, [...new Set(missing.map(({ tenant_id }) => tenant_id))]);
  const room = new Map(standings.map(({ tenant_id, limits, scopes }) => [tenant_id, (limits.scopes ?? most) - scopes]));
  return missing.filter((name) => {
    const left = room.get(name.tenant_id);
    if (left === undefined) refused.set(nameOf(name), tenantDeleted());
    else if (left <= 0) refused.set(nameOf(name), noRoom());
    else room.set(name.tenant_id, left - 1);
    return left !== undefined && left > 0;
  });
}

function noRoom(): AppError {
  const detail = 'This tenant has as many scopes as it may; delete some, or ask the operator for a higher limit.';
  return new AppError('conflict', detail);
}
