/** What a scope's own counters and its slots of scope_metrics say: never a count over its documents. */

import type { RuntimeState } from '../contract/runtime.ts';
import { prepared, type Queryable } from './database.ts';
import { oldestWaiting } from './oldest-waiting.ts';
import { NEWEST } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';
import { SETTLED_THROUGH } from './unfinished.ts';

export interface ScopeFigures {
  scope_id: string;
  name: string;
  created_at: string;
  last_seq: number | null;
  settled_through: number | null;
  registered: number;
  pending: number;
  queued: number;
  retrying: number;
  /** Of those queued or retrying. */
  in_work: number;
  processed: number;
  failed: number;
  superseded: number;
  contradictions_open: number;
  contradictions_resolved: number;
  contradictions_deferred: number;
  contradictions_left_out: number;
  rules: number;
  reread_from: number;
  runtime: RuntimeState;
  tenant: RuntimeState;
  scope: RuntimeState;
}

const numbers = (names: string[]) => names.map((name) => `${name}::float8 as ${name}`).join(', ');

const OF_SCOPE = prepared(
  'find_scope_figures',
  `select scopes.scope_id, scopes.name, scopes.created_at, nullif(next_seq - 1, -1)::float8 as last_seq,
          ${SETTLED_THROUGH} as settled_through,
          ${numbers(['registered', 'pending', 'queued', 'retrying', 'processed', 'failed', 'superseded'])},
          ${numbers(['contradictions_open', 'contradictions_resolved', 'contradictions_deferred', 'contradictions_left_out'])},
          scopes.rules, reread_from::float8 as reread_from,
          -- What was deleted since it was claimed is no longer among those that wait.
          case when lanes.ready_at > now() then least(cardinality(claimed), queued + retrying)::float8 else 0 end as in_work,
          runtime.state as runtime, tenants.state as tenant, scopes.state as scope
     from scopes join tenants using (tenant_id) left join lanes using (scope_key), runtime
    where scopes.tenant_id = $1 and scopes.scope_id = $2 and tenants.deleted_at is null ${NEWEST}`,
);

export async function findScopeFigures(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeFigures | null> {
  const { rows } = await db.query<ScopeFigures>(OF_SCOPE, [tenantId, scopeId]);
  return rows[0] ?? null;
}

export interface ScopeWindow {
  from: string;
  to: string;
  accepted: number;
  queued: number;
  oldest_age_ms: number | null;
  /** At most four, each of five minutes. */
  slots: {
    processed: number;
    failed: number;
    retried: number;
    waiting: number[];
    processing: number[];
    total: number[];
  }[];
}

const WINDOW = prepared(
  'find_scope_window',
  `select window_from as from, now() as to,
          (next_seq - first_seq_since(scope_key, generation, window_from))::float8 as accepted,
          (queued + retrying)::float8 as queued,
          (extract(epoch from now() - ${oldestWaiting('scopes')}) * 1000)::float8 as oldest_age_ms,
          (select coalesce(json_agg(json_build_object('processed', m.processed, 'failed', m.failed, 'retried', retried,
                           'waiting', waiting, 'processing', processing, 'total', total)), '[]')
             from scope_metrics m where m.scope_key = scopes.scope_key and starts_at >= slots_from) as slots
     from scopes,
          (select to_timestamp(floor(extract(epoch from now()) / 300) * 300) - interval '15 minutes' as slots_from) slots,
          lateral (select greatest(slots_from, created_at) as window_from) w
    where tenant_id = $1 and scope_id = $2 and ${ofLiveTenant('scopes')} ${NEWEST}`,
);

/** The last three whole slots and the one that has begun: 15 to 20 minutes, or since the scope was made. */
export async function findScopeWindow(db: Queryable, tenantId: string, scopeId: string): Promise<ScopeWindow | null> {
  const { rows } = await db.query<ScopeWindow>(WINDOW, [tenantId, scopeId]);
  return rows[0] ?? null;
}

export async function deleteScopeMetrics(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query('delete from scope_metrics where scope_key = $1', [scopeKey]);
}
