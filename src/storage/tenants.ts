/** The tenants table. */
import type { Queryable } from './database.ts';

/** What of the configured limits is different for one tenant. */
export interface TenantLimits {
  rate_per_s?: number;
  burst?: number;
  backlog?: number;
  bytes_per_s?: number;
  reads_per_s?: number;
  reports_per_s?: number;
}

export interface TenantRow {
  tenant_id: string;
  ordinal: string;
  name: string;
  limits: TenantLimits;
  created_at: string;
  updated_at: string;
}

const COLUMNS = 'tenant_id, ordinal, name, limits, created_at, updated_at';

export async function insertTenant(db: Queryable, tenantId: string, name: string): Promise<TenantRow> {
  const { rows } = await db.query<TenantRow>(
    `insert into tenants (tenant_id, name) values ($1, $2) returning ${COLUMNS}`,
    [tenantId, name],
  );
  return rows[0] as TenantRow;
}

export async function findTenant(db: Queryable, tenantId: string): Promise<TenantRow | null> {
  const { rows } = await db.query<TenantRow>(`select ${COLUMNS} from tenants where tenant_id = $1`, [tenantId]);
  return rows[0] ?? null;
}

/** In order of creation, from after an ordinal on. */
export async function listTenants(db: Queryable, after: string, limit: number): Promise<TenantRow[]> {
  const { rows } = await db.query<TenantRow>(
    `select ${COLUMNS} from tenants where ordinal > $1 order by ordinal limit $2`,
    [after, limit],
  );
  return rows;
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
      where tenant_id = $1 returning ${COLUMNS}`,
    [tenantId, change.name ?? null, change.limits ? JSON.stringify(change.limits) : null],
  );
  return rows[0] ?? null;
}

export interface TenantStanding {
  tenant_id: string;
  limits: TenantLimits;
  /** Documents that wait to be processed, by the counters of its scopes. */
  backlog: number;
}

/** Of those that exist. */
export async function listTenantStandings(db: Queryable, tenantIds: string[]): Promise<TenantStanding[]> {
  const { rows } = await db.query<TenantStanding>(
    `select tenant_id, limits, (select coalesce(sum(queued + retrying), 0)::float8 from scopes
                      where scopes.tenant_id = tenants.tenant_id) as backlog
       from tenants where tenant_id = any ($1)`,
    [tenantIds],
  );
  return rows;
}

/** With its keys and scopes. */
export async function deleteTenant(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from tenants where tenant_id = $1', [tenantId]);
  return rowCount === 1;
}
