/** The tenants table. */
import type { Queryable } from './database.ts';

export interface TenantRow {
  tenant_id: string;
  ordinal: string;
  name: string;
  created_at: string;
  updated_at: string;
}

const COLUMNS = 'tenant_id, ordinal, name, created_at, updated_at';

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

export async function updateTenantName(db: Queryable, tenantId: string, name: string): Promise<TenantRow | null> {
  const { rows } = await db.query<TenantRow>(
    `update tenants set name = $2, updated_at = now() where tenant_id = $1 returning ${COLUMNS}`,
    [tenantId, name],
  );
  return rows[0] ?? null;
}

/** With its keys and scopes. */
export async function deleteTenant(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from tenants where tenant_id = $1', [tenantId]);
  return rowCount === 1;
}
