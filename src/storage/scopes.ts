/** The scopes table. */
import type { Queryable } from './database.ts';

export interface ScopeRow {
  scope_id: string;
  name: string;
  state: 'running' | 'paused' | 'stopped';
  created_at: string;
}

const COLUMNS = 'scope_id, name, state, created_at';

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

/** In order of their ids, from after one on. */
export async function listScopes(db: Queryable, tenantId: string, after: string, limit: number): Promise<ScopeRow[]> {
  const { rows } = await db.query<ScopeRow>(
    `select ${COLUMNS} from scopes where tenant_id = $1 and scope_id > $2 order by scope_id limit $3`,
    [tenantId, after, limit],
  );
  return rows;
}
