/** What a stream wants of the log, and in which form. */
import { tenantEventTypes } from '../contract/events.ts';
import { type Frame, laneOf } from './frames.ts';

export interface Filter {
  /** Null for everything; a tenant without a scope for all of its own. */
  scope: { tenantId: string; scopeId?: string | null } | null;
  /** Null for all types. */
  types: ReadonlySet<string> | null;
  /** For who may hear of some scopes only; beside a scope, it says nothing. */
  scopeIds?: ReadonlySet<string> | null;
  /** The tenant reads it itself: it hears of what tenants are told, and not whose it is. */
  isForTenant?: boolean;
}

/** Where a stream hears of what is published: among those of its scope, of its tenant, or (null) of everything. */
export function placeOf({ scope }: Filter): string | null {
  if (!scope) return null;
  // No lane is called so: there is a blank in each.
  return scope.scopeId ? laneOf(scope.tenantId, scope.scopeId) : scope.tenantId;
}

/** Whether it wants all that is told in its place. */
export const wantsAll = ({ scope, types, scopeIds }: Filter) => !types && (!scopeIds || Boolean(scope?.scopeId));

/** What it is sent of a frame; null when that is not for it. */
export function textFor(filter: Filter, frame: Frame): string | null {
  const { scope, types, scopeIds, isForTenant } = filter;
  if (scope && scope.tenantId !== frame.tenantId) return null;
  if (scope?.scopeId && scope.scopeId !== frame.scopeId) return null;
  if (scopeIds && !scopeIds.has(frame.scopeId ?? '')) return null;
  if (types && !types.has(frame.type)) return null;
  if (!isForTenant) return frame.text;
  return frame.isForTenant ? frame.tenantText : null;
}

/** The types to look for in the log; null for all. */
export function typesToRead({ types, isForTenant }: Filter): readonly string[] | null {
  if (types) return [...types];
  return isForTenant ? tenantEventTypes : null;
}
