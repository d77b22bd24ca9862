/** What an export reads of a scope: pages by seq, each of short statements, so that no snapshot is held. */
import type { Queryable } from './database.ts';
import { firstPurged } from './document-purges.ts';
import { NEWEST, type ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

/** A scope at some time. If one of the numbers is another one later, something has changed meanwhile. */
export interface ExportedScope extends ScopeHandle {
  /** It does not move with what is accepted or reported; the others do. */
  revision: number;
  next_seq: number;
  reported: number;
}

export async function findExportedScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
): Promise<ExportedScope | null> {
  const { rows } = await db.query<ExportedScope>(
    `select tenant_id, scope_id, scope_key, generation, revision::float8 as revision, next_seq::float8 as next_seq,
            contradictions_reported::float8 as reported
       from scopes where tenant_id = $1 and scope_id = $2 and ${ofLiveTenant('scopes')} ${NEWEST}`,
    [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

export interface ExportRange {
  /** The first seq to look at, and the first not to. */
  from: number;
  to: number;
  /** The first that came after the start of the export. */
  start: number;
  /** Rows to look at, at most. */
  limit: number;
}

/** Where the next page begins; null after the last one. */
export interface Looked {
  next: number | null;
}

export const IN_SCOPE = 'scope_key = $1 and generation = $2';
/** Whoever deletes or resets it hides all that it held: not even a page of that is read afterwards. */
export const THERE = `(select from scopes where ${IN_SCOPE} and tenant_id = $3 and scope_id = $4 and ${ofLiveTenant('scopes')})`;

export const valuesOf = (
  { scope_key, generation, tenant_id, scope_id }: ScopeHandle,
  { from, to, start, limit }: ExportRange,
): Values => [...[scope_key, generation, tenant_id, scope_id], ...[from, to, start, limit]];

export type Values = (string | number)[];

/**
 * Each document is found at one row: that of its newest version that came before the start, though it is shown as it is now, in a
 * version that may have come since. Rows of other versions, and of what is deleted and not yet purged, find nothing.
 */
export const foundAt = (places: string) => `looked_at as materialized (
    select seq as place, document_id as id, version as its_version from documents
     where ${IN_SCOPE} and seq >= $5 and seq < $6 ${places} order by seq limit $8
  ), looked as (
    select count(*) as rows, max(place) as last from looked_at
  ), found as (
    select place, newest.* from looked_at
     cross join lateral (
       select * from documents where ${IN_SCOPE} and document_id = id and version < ${firstPurged('$1', '$2', 'id')}
        order by version desc limit 1) newest
     where newest.seq = place or (newest.seq >= $7 and newest.version > its_version and (
       select later.seq from documents later
        where later.scope_key = $1 and later.generation = $2 and later.document_id = id and later.version > its_version
        order by later.version limit 1) >= $7)
  )`;
