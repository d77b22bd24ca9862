/** The runtime's state at its three levels: the whole of it, a tenant, a scope. */
import type { RuntimeState } from '../contract/runtime.ts';
import type { Queryable } from './database.ts';

/** The level that is addressed: as far down as names are given. */
export interface Level {
  tenantId: string | null;
  scopeId: string | null;
}

/** Each level's own state; null below the level that is asked for. */
export interface LevelStates {
  runtime: RuntimeState;
  tenant: RuntimeState | null;
  scope: RuntimeState | null;
}

/** With the row of the addressed level locked. Null when it does not exist. */
export async function findStatesForUpdate(tx: Queryable, { tenantId, scopeId }: Level): Promise<LevelStates | null> {
  if (tenantId === null) {
    const { rows } = await tx.query<LevelStates>(
      'select state as runtime, null as tenant, null as scope from runtime for update',
    );
    return rows[0] ?? null;
  }
  const { rows } = await tx.query<LevelStates>(
    scopeId === null
      ? `select runtime.state as runtime, tenants.state as tenant, null as scope
           from tenants, runtime where tenant_id = $1 and deleted_at is null for no key update of tenants`
      : `select runtime.state as runtime, tenants.state as tenant, scopes.state as scope
           from scopes join tenants using (tenant_id), runtime
          where tenant_id = $1 and scope_id = $2 and deleted_at is null for no key update of scopes`,
    scopeId === null ? [tenantId] : [tenantId, scopeId],
  );
  return rows[0] ?? null;
}

/** Why is not kept of a level that runs. `restart` also has every node renew its workers, when it is the whole runtime that is addressed. */
export async function updateState(
  tx: Queryable,
  { tenantId, scopeId }: Level,
  state: RuntimeState,
  { by, reason }: { by: string; reason: string | null },
  restart: boolean,
): Promise<void> {
  const set = 'state = $1, state_set_by = $2, state_set_at = now(), state_reason = $3, state_reason_at = now()';
  const values = [state, by, state === 'running' ? null : reason];
  if (tenantId === null) {
    await tx.query(`update runtime set ${set}, restarts = restarts + $4`, [...values, restart ? 1 : 0]);
  } else if (scopeId === null) {
    await tx.query(`update tenants set ${set} where tenant_id = $4`, [...values, tenantId]);
  } else {
    await tx.query(
      `with scope as (update scopes set ${set} where tenant_id = $4 and scope_id = $5 returning scope_key)
       update lanes set held = ($1 <> 'running') where scope_key in (select scope_key from scope)`,
      [...values, tenantId, scopeId],
    );
  }
}

export async function findRuntime(db: Queryable): Promise<{ state: RuntimeState; restarts: number }> {
  const { rows } = await db.query<{ state: RuntimeState; restarts: number }>('select state, restarts from runtime');
  return rows[0] as { state: RuntimeState; restarts: number };
}
