/** What a tenant's key may do, and where: the permissions it has, and the scopes it is limited to. Pure. */
import { type Permission, permissions } from '../contract/keys.ts';
import { AppError, notFound } from '../errors.ts';

export type { Permission };

export interface Access {
  /** Null for who acts without a key of the tenant. */
  keyPrefix: string | null;
  permissions: ReadonlySet<Permission>;
  /** Null for all scopes, those of the future too. */
  scopeIds: ReadonlySet<string> | null;
}

const ALL: ReadonlySet<Permission> = new Set(permissions);

/** Of an operator who acts for a tenant with the key of an operator alone. */
export const FULL_ACCESS: Access = { keyPrefix: null, permissions: ALL, scopeIds: null };

/** Of who knows only the tenant's id: it posts, and is told no more than it sent. */
export const BY_ID_ALONE: Access = { keyPrefix: null, permissions: new Set(['ingest']), scopeIds: null };

/** As it is stored: null for all permissions, and for all scopes. */
export interface StoredAccess {
  key_prefix: string;
  permissions: Permission[] | null;
  scope_ids: string[] | null;
}

export function toAccess({ key_prefix, permissions: some, scope_ids }: StoredAccess): Access {
  return {
    keyPrefix: key_prefix,
    permissions: some ? new Set(some) : ALL,
    scopeIds: scope_ids && new Set(scope_ids),
  };
}

export function requirePermission(access: Access, permission: Permission): void {
  if (access.permissions.has(permission)) return;
  throw new AppError('forbidden', `This key lacks the permission ${permission}; use a key that has it.`);
}

export function mayReach({ scopeIds }: Access, scopeId: string): boolean {
  return scopeIds === null || scopeIds.has(scopeId);
}

/** Whoever may not read is told no more than it sent. */
export function mayRead(access: Access, scopeId: string): boolean {
  return access.permissions.has('read') && mayReach(access, scopeId);
}

/** The same 404 as for a scope that does not exist, whether this one does or not. */
export function requireReach(access: Access, scopeId: string): void {
  if (!mayReach(access, scopeId)) throw notFound(`Scope ${scopeId}`);
}

/** For who would make the scope by posting to it: that it does not exist would be no reason. */
export function requireReachToPost(access: Access, scopeId: string): void {
  if (mayReach(access, scopeId)) return;
  const detail = `Scope ${scopeId} does not exist for this key, which is limited to other scopes; use another key.`;
  throw new AppError('not_found', detail);
}

/** For what acts on a whole tenant unless a scope is named. */
export function requireAllScopes({ scopeIds }: Access): void {
  if (scopeIds === null) return;
  throw new AppError('forbidden', 'This key is limited to certain scopes; name one of them, or use another key.');
}
