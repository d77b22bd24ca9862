/** The scopes table: what a scope is called, the lock under which its documents are numbered, and its counters. */
import type { RuntimeState } from '../contract/runtime.ts';
import { prepared, type Queryable } from './database.ts';
import { ofLiveTenant } from './tenants.ts';

export interface ScopeRow {
  scope_id: string;
  name: string;
  state: RuntimeState;
  created_at: string;
}

/** Where a scope's rows are kept: found by its row, so that deleting or resetting that row hides them all at once. */
export interface ScopeHandle {
  tenant_id: string;
  scope_id: string;
  scope_key: string;
  generation: number;
}

export interface LockedScope extends ScopeHandle {
  next_seq: number;
  registered: number;
  queued: number;
  retrying: number;
}

const COLUMNS = 'scope_id, name, state, created_at';
const LIVE = ofLiveTenant('scopes');
/** Of one scope: while somebody holds an old snapshot, the versions of its row before the newest are many. */
export const NEWEST = 'order by recency desc limit 1';
/** The row of scopes for a key in each row of something else: free to join, Postgres could read all of them. */
export const scopeOf = (key: string) =>
  `cross join lateral (select * from scopes where scopes.scope_key = ${key} ${NEWEST}) scopes`;
const LOCKED = `tenant_id, scope_id, scope_key, generation, next_seq::float8 as next_seq, registered::float8 as registered,
  queued::float8 as queued, retrying::float8 as retrying`;

/** Null when the tenant has a scope of that id already. */
export async function insertScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
  name: string,
): Promise<ScopeRow | null> {
  const { rows } = await db.query<ScopeRow>(
    `insert into scopes (tenant_id, scope_id, name) values ($1, $2, $3)
     on conflict do nothing returning ${COLUMNS}`,
    [tenantId, scopeId, name],
  );
  return rows[0] ?? null;
}

/** All of them, or some by their ids; in order of these, from after one on. */
export async function listScopes(
  db: Queryable,
  tenantId: string,
  scopeIds: string[] | null,
  after: string,
  limit: number,
): Promise<ScopeRow[]> {
  // Left out where there is no choice: with it, a plan for both would walk all scopes of the tenant to find a few.
  const chosen = scopeIds ? 'and scope_id = any ($4)' : '';
  const { rows } = await db.query<ScopeRow>(
    `select ${COLUMNS} from scopes
      where tenant_id = $1 and scope_id > $2 and ${LIVE} ${chosen} order by scope_id limit $3`,
    [tenantId, after, limit, ...(scopeIds ? [scopeIds] : [])],
  );
  return rows;
}

/** What its tenant sees of it. */
export async function findScopeRow(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeRow | null> {
  const { rows } = await db.query<ScopeRow>(
    `select ${COLUMNS} from scopes where tenant_id = $1 and scope_id = $2 and ${LIVE} ${NEWEST}`,
    [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

const HANDLE = prepared(
  'find_scope',
  `select tenant_id, scope_id, scope_key, generation from scopes
    where tenant_id = $1 and scope_id = $2 and ${LIVE} ${NEWEST}`,
);

export async function findScope(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeHandle | null> {
  const { rows } = await db.query<ScopeHandle>(HANDLE, [tenantId, scopeId]);
  return rows[0] ?? null;
}

export async function findScopeForUpdate(
  db: Queryable,
  tenantId: string,
  scopeId: string,
): Promise<LockedScope | null> {
  const { rows } = await db.query<LockedScope>(
    `select ${LOCKED} from scopes where tenant_id = $1 and scope_id = $2 and ${LIVE} ${NEWEST} for no key update`,
    [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

const DOCUMENTS = 'registered + pending + queued + retrying + processed + failed + superseded';

/** Everything it held is of a past generation now, and its numbers begin again. Returns what it had counted. */
export async function updateScopeReset(
  tx: Queryable,
  scope: ScopeHandle,
): Promise<{ documents: number; contradictions: number }> {
  const { rows } = await tx.query<{ documents: number; contradictions: number }>(
    `with before as (
       select ${DOCUMENTS} as documents,
              contradictions_open + contradictions_resolved + contradictions_deferred as contradictions
         from scopes where scope_key = $1
     ), reset as (
       update scopes set generation = generation + 1, convergence = 'empty', revision = 0, removed_at = 0, filed_up_to = -1,
              keys_filed_up_to = null,
              reread_from = 0, reread_tries = 0,
              ${[...COUNTERS, ...FINDINGS].map((name) => `${name} = 0`).join(', ')} where scope_key = $1
     )
     select documents::float8 as documents, contradictions::float8 as contradictions from before`,
    [scope.scope_key],
  );
  return rows[0] as { documents: number; contradictions: number };
}

/** Returns what it was; null when there is no such scope. */
export async function deleteScope(
  db: Queryable,
  tenantId: string,
  scopeId: string,
): Promise<{ name: string; documents: number } | null> {
  const { rows } = await db.query<{ name: string; documents: number }>(
    `delete from scopes where tenant_id = $1 and scope_id = $2 and ${LIVE} returning name, (${DOCUMENTS})::float8 as documents`,
    [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

type ScopeName = Pick<ScopeHandle, 'tenant_id' | 'scope_id'>;

/**
 * Locks the scopes of many tenants that exist, in one order for everybody, so that two flushes cannot wait in a ring;
 * without patience only those that nobody else has locked.
 */
export async function lockScopesAcrossTenants(
  tx: Queryable,
  scopes: ScopeName[],
  isPatient = true,
): Promise<LockedScope[]> {
  const { rows } = await tx.query<LockedScope>(
    `select scopes.* from (
       select * from json_to_recordset($1::json) as wanted (tenant_id text, scope_id text)
        order by tenant_id, scope_id offset 0) wanted
      cross join lateral (
        select ${LOCKED} from scopes
         where scopes.tenant_id = wanted.tenant_id and scopes.scope_id = wanted.scope_id and ${LIVE}
         ${NEWEST} for no key update of scopes ${isPatient ? '' : 'skip locked'}) scopes`,
    [JSON.stringify(scopes)],
  );
  return rows;
}

/** Those that exist, locked or not. */
export async function listScopeNamesAcrossTenants(db: Queryable, scopes: ScopeName[]): Promise<ScopeName[]> {
  const { rows } = await db.query<ScopeName>(
    `select tenant_id, scope_id from scope_names join json_to_recordset($1::json) as wanted (tenant_id text, scope_id text)
      using (tenant_id, scope_id) where ${ofLiveTenant('scope_names')}`,
    [JSON.stringify(scopes)],
  );
  return rows;
}

/** Makes those that are missing; returns, locked, the ones that this transaction made. */
export async function insertScopesAcrossTenants(tx: Queryable, scopes: ScopeName[]): Promise<LockedScope[]> {
  const { rows } = await tx.query<LockedScope>(
    `insert into scopes (tenant_id, scope_id, name)
     select tenant_id, scope_id, scope_id from json_to_recordset($1::json) as wanted (tenant_id text, scope_id text)
      order by tenant_id, scope_id
     on conflict do nothing returning ${LOCKED}`,
    [JSON.stringify(scopes)],
  );
  return rows;
}

export interface ScopeChange {
  scope_key: string;
  next_seq?: number;
  registered?: number;
  pending?: number;
  queued?: number;
  retrying?: number;
  processed?: number;
  failed?: number;
  superseded?: number;
  contradictions_open?: number;
  contradictions_resolved?: number;
  contradictions_deferred?: number;
  contradictions_critical?: number;
  contradictions_reported?: number;
}

const COUNTERS = [
  'next_seq',
  'registered',
  'pending',
  'queued',
  'retrying',
  'processed',
  'failed',
  'superseded',
  'contradictions_open',
  'contradictions_resolved',
  'contradictions_deferred',
  'contradictions_critical',
  'contradictions_reported',
] as const;
/** What only processing changes. */
const FINDINGS = [
  'claims',
  'groups',
  'groups_shared',
  'groups_disputed',
  'contradictions_left_out',
  'points',
  'queued_from',
];

/** Adds to the counters of scopes that the transaction has locked. */
export async function updateScopeCounters(tx: Queryable, changes: ScopeChange[]): Promise<void> {
  await tx.query(
    `update scopes set ${COUNTERS.map((name) => `${name} = scopes.${name} + coalesce(change.${name}, 0)`).join(', ')}
       from (select change.*, its.row
               from json_to_recordset($1::json)
                      as change (scope_key bigint, ${COUNTERS.map((name) => `${name} bigint`).join(', ')})
              cross join lateral (
                select ctid as row from scopes where scopes.scope_key = change.scope_key ${NEWEST}) its) change
      where scopes.ctid = change.row`,
    [JSON.stringify(changes)],
  );
}
