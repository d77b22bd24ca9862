/** The tenants table. */
import type { RuntimeState } from '../contract/runtime.ts';
import type { Queryable } from './database.ts';

/** What of the configured limits is different for one tenant. */
export interface TenantLimits {
  rate_per_s?: number;
  burst?: number;
  backlog?: number;
  bytes_per_s?: number;
  reads_per_s?: number;
  reports_per_s?: number;
  scopes?: number;
}

export interface TenantRow {
  tenant_id: string;
  ordinal: string;
  name: string;
  limits: TenantLimits;
  state: RuntimeState;
  created_at: string;
  updated_at: string;
}

/** For a query on a table with a tenant_id: what belongs to a deleted tenant is there until it is purged, and is not to be seen. */
export const ofLiveTenant = (table: string) =>
  `exists (select from tenants live where live.tenant_id = ${table}.tenant_id and live.deleted_at is null)`;

const COLUMNS = 'tenant_id, ordinal, name, limits, state, created_at, updated_at';

export async function insertTenant(db: Queryable, tenantId: string, name: string): Promise<TenantRow> {
  const { rows } = await db.query<TenantRow>(
    `insert into tenants (tenant_id, name) values ($1, $2) returning ${COLUMNS}`,
    [tenantId, name],
  );
  return rows[0] as TenantRow;
}

export async function findTenant(db: Queryable, tenantId: string): Promise<TenantRow | null> {
  const { rows } = await db.query<TenantRow>(
    `select ${COLUMNS} from tenants where tenant_id = $1 and deleted_at is null`,
    [tenantId],
  );
  return rows[0] ?? null;
}

/** In order of creation, from after an ordinal on. */
export async function listTenants(db: Queryable, after: string, limit: number): Promise<TenantRow[]> {
  const { rows } = await db.query<TenantRow>(
    `select ${COLUMNS} from tenants where ordinal > $1 and deleted_at is null order by ordinal limit $2`,
    [after, limit],
  );
  return rows;
}

/** Locked to the end of the transaction, so that it is known what it was before it is changed. */
export async function findTenantForUpdate(tx: Queryable, tenantId: string): Promise<TenantRow | null> {
  const { rows } = await tx.query<TenantRow>(
    `select ${COLUMNS} from tenants where tenant_id = $1 and deleted_at is null for no key update`,
    [tenantId],
  );
  return rows[0] ?? null;
}

/** What is not given stays; a limit that is null goes back to the configured one. */
export async function updateTenant(
  db: Queryable,
  tenantId: string,
  change: { name?: string | undefined; limits?: object | undefined },
): Promise<TenantRow | null> {
  const { rows } = await db.query<TenantRow>(
    `update tenants set name = coalesce($2, name), limits = jsonb_strip_nulls(limits || coalesce($3::jsonb, '{}')),
            updated_at = now()
      where tenant_id = $1 and deleted_at is null returning ${COLUMNS}`,
    [tenantId, change.name ?? null, change.limits ? JSON.stringify(change.limits) : null],
  );
  return rows[0] ?? null;
}

export interface TenantStanding {
  tenant_id: string;
  limits: TenantLimits;
  scopes: number;
  /** Documents that wait to be processed. */
  backlog: number;
  /** It has a key in force that may do less than everything. */
  has_narrowed_keys: boolean;
}

export async function findTenantStanding(db: Queryable, tenantId: string): Promise<TenantStanding | null> {
  return (await listTenantStandings(db, [tenantId]))[0] ?? null;
}

/** Of those that exist. What was folded in and what was not are read by one statement, so that nothing is counted twice. */
export async function listTenantStandings(db: Queryable, tenantIds: string[]): Promise<TenantStanding[]> {
  const { rows } = await db.query<TenantStanding>(
    `select tenant_id, limits, (tenants.scopes + changed.scopes)::float8 as scopes,
            (tenants.backlog + changed.backlog)::float8 as backlog,
            exists (select from api_keys k where k.tenant_id = tenants.tenant_id and k.revoked_at is null
                       and (k.permissions is not null or k.scope_ids is not null)
                       and (k.expires_at is null or k.expires_at > now())) as has_narrowed_keys
       from tenants
      cross join lateral (
        select coalesce(sum(c.scopes), 0) as scopes, coalesce(sum(c.backlog), 0) as backlog
          from tenant_changes c where c.tenant_id = tenants.tenant_id) changed
      where tenant_id = any ($1) and deleted_at is null`,
    [tenantIds],
  );
  return rows;
}

/** No two at once: they would wait for each other's tenants. */
const FOLD_LOCK = 7213004;

/**
 * Looks at up to a number of changes, but for those of some tenants, and folds them into their tenants. What belongs to a
 * tenant whose row somebody else holds is left, and its name returned. Sees none when another process is at it.
 */
export async function foldTenantChanges(
  tx: Queryable,
  most: number,
  except: string[],
): Promise<{ seen: number; folded: number; held: string[] }> {
  const { rows } = await tx.query<{ is_ours: boolean }>('select pg_try_advisory_xact_lock($1) as is_ours', [FOLD_LOCK]);
  if (!rows[0]?.is_ours) return { seen: 0, folded: 0, held: [] };
  const { rows: done } = await tx.query<{ seen: number; folded: number; held: string[] }>(
    `with seen as materialized (
       select ctid, tenant_id from tenant_changes where tenant_id <> all ($2) limit $1
     ), free as materialized (
       select tenant_id from tenants where tenant_id in (select tenant_id from seen) for no key update skip locked
     ), held as materialized (
       select tenant_id from tenants where tenant_id in (select tenant_id from seen) except select tenant_id from free
     ), gone as (
       delete from tenant_changes
        where ctid = any (array(select ctid from seen where tenant_id not in (select tenant_id from held)))
       returning tenant_id, scopes, backlog
     ), sums as (
       select tenant_id, sum(scopes) as scopes, sum(backlog) as backlog from gone group by tenant_id
     ), counted as (
       update tenants set scopes = tenants.scopes + sums.scopes, backlog = tenants.backlog + sums.backlog
         from sums where sums.tenant_id = tenants.tenant_id
     )
     select (select count(*) from seen)::float8 as seen, (select count(*) from gone)::float8 as folded,
            array(select tenant_id from held) as held`,
    [most, except],
  );
  return done[0] as { seen: number; folded: number; held: string[] };
}

/** From its commit on, nothing of it is seen or worked on; what is left is for the purger. */
export async function updateTenantDeleted(tx: Queryable, tenantId: string): Promise<Pick<TenantRow, 'name'> | null> {
  const { rows } = await tx.query<Pick<TenantRow, 'name'>>(
    `update tenants set deleted_at = now(), state = 'stopped' where tenant_id = $1 and deleted_at is null returning name`,
    [tenantId],
  );
  return rows[0] ?? null;
}

/** Those that wait to be purged, the longest waiting first; nobody else takes them before this transaction ends. */
export async function listDeletedTenants(tx: Queryable, most: number): Promise<string[]> {
  const { rows } = await tx.query<{ tenant_id: string }>(
    `select tenant_id from tenants where deleted_at is not null order by deleted_at limit $1
        for no key update skip locked`,
    [most],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Up to a number of a deleted tenant's scopes, but for those that somebody holds. Returns how many. */
export async function deleteSomeScopes(tx: Queryable, tenantId: string, most: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from scopes where ctid = any (array(
       select ctid from scopes where tenant_id = $1 order by scope_id limit $2 for update skip locked))`,
    [tenantId, most],
  );
  return rowCount ?? 0;
}

export async function deleteSomeKeys(tx: Queryable, tenantId: string, most: number): Promise<number> {
  const { rowCount } = await tx.query(
    'delete from api_keys where key_prefix = any (array(select key_prefix from api_keys where tenant_id = $1 limit $2))',
    [tenantId, most],
  );
  return rowCount ?? 0;
}

/** The last of a deleted tenant; false while it still has a scope. */
export async function deleteEmptyTenant(tx: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from tenants where tenant_id = $1 and deleted_at is not null
        and not exists (select from scopes where scopes.tenant_id = $1)`,
    [tenantId],
  );
  return rowCount === 1;
}
