/** convergence_points, and the counters of scopes that they are made from. */
import { severities } from '../contract/contradictions.ts';
import type { Point } from '../contract/convergence.ts';
import { prepared, type Queryable } from './database.ts';
import { NEWEST, type ScopeHandle } from './scopes.ts';
import { ofLiveTenant } from './tenants.ts';

/** With its number, and what it says. */
export interface NewPoint extends Point {
  point: number;
  status: string;
}

/** What the next point of a scope is made from. */
export interface ConvergenceCounts {
  /** The number of that point. */
  point: number;
  /** What the last one said. */
  status: string;
  groups: number;
  shared: number;
  disputed: number;
  changed: number;
  processed: number;
  expected: number;
  critical: number;
  /** The last points, the oldest first. */
  recent: (Point & { point: number; at: string })[];
}

export async function findConvergenceCounts(tx: Queryable, scopeKey: string): Promise<ConvergenceCounts> {
  const { rows } = await tx.query<{ counts: ConvergenceCounts }>('select convergence_counts($1) as counts', [scopeKey]);
  return (rows[0] as { counts: ConvergenceCounts }).counts;
}

/** By scope: of the counts that change without anything being settled, what they are now. */
export async function listStanding(
  db: Queryable,
  scopeKeys: string[],
): Promise<Map<string, Pick<ConvergenceCounts, 'expected' | 'critical'>>> {
  const { rows } = await db.query<{ scope_key: string; expected: number; critical: number }>(
    `select scope_key, (pending + queued + retrying + processed + failed)::float8 as expected,
            contradictions_critical::float8 as critical
       from scopes where scope_key = any ($1)`,
    [scopeKeys],
  );
  return new Map(rows.map(({ scope_key, ...counts }) => [scope_key, counts]));
}

/** Adds a point to a scope that the transaction has locked. */
export async function insertPoint(tx: Queryable, scopeKey: string, { status, ...point }: NewPoint): Promise<void> {
  await tx.query('update scopes set points = points + 1, convergence = $2 where scope_key = $1', [scopeKey, status]);
  await tx.query('select write_points($1, $2::json)', [
    [scopeKey],
    JSON.stringify([{ lane: scopeKey, status, point }]),
  ]);
}

export async function deletePoints(tx: Queryable, scopeKey: string): Promise<void> {
  await tx.query('delete from convergence_points where scope_key = $1', [scopeKey]);
}

export interface ConvergenceRow extends ConvergenceCounts {
  tenant_id: string;
  scope_id: string;
  scope_key: string;
  claims: number;
  blockers: { contradiction_id: string; severity: string; subject: string | null; reason: string | null }[];
}

const MAX_BLOCKERS = 5;
/** The first of a severity, by rows in the order of the one index that has it, whatever Postgres knows of the table. */
const openOf = (severity: string) =>
  `(select c.* from contradictions c where c.scope_key = scopes.scope_key and c.generation = scopes.generation
      and status <> 'left_out' and (severity, status) >= ('${severity}', 'open') and (severity, status) <= ('${severity}', 'open')
    order by severity, status, ordinal limit ${MAX_BLOCKERS})`;
const ROW = `tenant_id, scope_id, scope_key, claims::float8 as claims, status_now.*,
  (select coalesce(json_agg(json_build_object('contradiction_id', contradiction_id, 'severity', severity,
                    'subject', subject, 'reason', reason)), '[]') from (
     select * from (${severities.map(openOf).join(' union all ')}) open
      order by (severity = 'critical') desc, ordinal limit ${MAX_BLOCKERS}) first) as blockers`;
const COUNTS = `cross join lateral json_to_record(convergence_counts(scope_key)) as status_now (point float8, status text,
  groups float8, shared float8, disputed float8, changed float8, processed float8, expected float8, critical float8, recent json)`;

const OF_ONE = prepared(
  'find_convergence',
  `select ${ROW} from scopes ${COUNTS} where tenant_id = $1 and scope_id = $2 and ${ofLiveTenant('scopes')} ${NEWEST}`,
);

export async function findConvergence(db: Queryable, scope: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>) {
  const { rows } = await db.query<ConvergenceRow>(OF_ONE, [scope.tenant_id, scope.scope_id]);
  return rows[0] ?? null;
}

/** In order of their making, from after one on; of one tenant, or with one id, or all. */
export async function listConvergenceAcrossTenants(
  db: Queryable,
  tenantId: string | null,
  scopeId: string | null,
  after: string,
  limit: number,
): Promise<ConvergenceRow[]> {
  const { rows } = await db.query<ConvergenceRow>(
    `select ${ROW} from scopes ${COUNTS}
      where scope_key > $1 and ($2::text is null or tenant_id = $2) and ($3::text is null or scope_id = $3)
        and ${ofLiveTenant('scopes')}
      order by scope_key limit $4`,
    [after, tenantId, scopeId, limit],
  );
  return rows;
}

export async function listPoints(
  db: Queryable,
  scopeKeys: string[],
  most: number,
): Promise<(Point & { scope_key: string; point: number; at: string })[]> {
  const { rows } = await db.query<Point & { scope_key: string; point: number; at: string }>(
    `select p.scope_key, p.point::float8 as point, p.at, agreement, coverage, stability, corroboration, score, disagreement
       from unnest($1::bigint[]) as wanted (scope_key)
      cross join lateral (select * from convergence_points where convergence_points.scope_key = wanted.scope_key
                           order by point desc limit $2) p
      order by p.scope_key, p.point`,
    [scopeKeys, most],
  );
  return rows;
}
