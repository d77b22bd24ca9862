/** Convergence: how far a scope has settled. A point after each batch and each decision; what it means is `pipeline/measure`. */
import type { NewEvent } from '../events/log.ts';
import { type ConvergenceStatus, judge, measure, POINTS_JUDGED, pressure, type Weights } from '../pipeline/measure.ts';
import * as storage from '../storage/convergence.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import type { ScopeHandle } from '../storage/scopes.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

export type { Weights } from '../pipeline/measure.ts';

/** A scope that something happened in: what its next point is made from, and what is to be told of it. */
export interface Happened {
  scope: Pick<ScopeHandle, 'tenant_id' | 'scope_id' | 'scope_key'>;
  counts: storage.ConvergenceCounts;
  events: NewEvent[];
}

/** The transaction's last word: adds the points that these counts make, and appends the events, their own among them. */
export async function notePoints(tx: Transaction, happened: Happened[], weights: Weights): Promise<void> {
  const points: Parameters<typeof storage.insertPoints>[1] = [];
  const events: NewEvent[] = [];
  for (const { scope, counts, events: told } of happened) {
    const point = measure(counts, weights);
    const { status } = judge([...counts.recent, point].slice(-POINTS_JUDGED), counts);
    points.push({ ...point, scope: scope.scope_key, status });
    events.push(...told, ...turningPoint(scope, counts.status, status, point.score));
  }
  tx.xid = await storage.insertPoints(tx, points, events);
}

export function turningPoint(
  { tenant_id, scope_id }: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>,
  before: string,
  status: ConvergenceStatus,
  score: number,
): NewEvent[] {
  if (status === 'converged' && before !== 'converged')
    return [{ type: 'scope.converged', tenant_id, scope_id, payload: { score } }];
  if (status !== 'converged' && before === 'converged')
    return [{ type: 'scope.reopened', tenant_id, scope_id, payload: { score, status } }];
  return [];
}

/** Points that a history shows. */
const MAX_HISTORY = 20;

/** The convergence of scopes, of all tenants or of one. */
export async function listConvergence(
  db: Queryable,
  weights: Weights,
  { cursor, limit, tenant_id, scope_id }: Page & { tenant_id?: string; scope_id?: string },
) {
  const after = decodeCursor(cursor, /^\d{1,18}$/, '0');
  const rows = await storage.listConvergenceAcrossTenants(db, tenant_id ?? null, scope_id ?? null, after, limit + 1);
  const { items, next_cursor } = toPage(rows, limit, ({ scope_key }) => scope_key);
  const points = await storage.listPoints(
    db,
    items.map(({ scope_key }) => scope_key),
    MAX_HISTORY,
  );
  const histories = Map.groupBy(points, ({ scope_key }) => scope_key);
  return {
    generated_at: new Date().toISOString(),
    scopes: items.map((row) => ({
      tenant_id: row.tenant_id,
      scope_id: row.scope_id,
      ...showConvergence(row, weights),
      history: (histories.get(row.scope_key) ?? []).map(showPoint),
    })),
    next_cursor,
  };
}

export async function trendOf(db: Queryable, tenantId: string, scopeId: string) {
  const row = await storage.findConvergence(db, { tenant_id: tenantId, scope_id: scopeId });
  if (!row) return null;
  const points = await storage.listPoints(db, [row.scope_key], MAX_HISTORY);
  return { ...trend(row), history: points.map(showPoint) };
}

export function showConvergence(row: storage.ConvergenceRow, weights: Weights) {
  const last = row.recent.at(-1);
  return {
    ...trend(row),
    measured_at: last ? new Date(last.at).toISOString() : null,
    dimensions: last ? dimensionsOf(last, weights) : null,
    groups: { total: row.groups, shared: row.shared, disputed: row.disputed },
    blockers: row.blockers,
  };
}

/** As of the last point: reading makes none. */
function trend(row: storage.ConvergenceRow) {
  const last = row.recent.at(-1);
  const { rate, batches_to_go } = judge(row.recent.slice(-POINTS_JUDGED), row);
  return {
    status: row.status as ConvergenceStatus,
    score: last ? rounded(last.score) : null,
    disagreement: last ? rounded(last.disagreement) : null,
    rate: rate === null ? null : rounded(rate),
    batches_to_go,
  };
}

function showPoint({ at, ...point }: Awaited<ReturnType<typeof storage.listPoints>>[number]) {
  return {
    at,
    score: rounded(point.score),
    disagreement: rounded(point.disagreement),
    agreement: rounded(point.agreement),
    coverage: rounded(point.coverage),
    stability: rounded(point.stability),
    corroboration: rounded(point.corroboration),
  };
}

/** Figures for people: what sums of fractions leave in the last digits is no news. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

function dimensionsOf(point: storage.Point, weights: Weights) {
  const pressures = pressure(point, weights);
  const of = (name: keyof Weights) => ({
    score: rounded(point[name]),
    weight: rounded(weights[name]),
    pressure: rounded(pressures[name]),
  });
  return {
    agreement: of('agreement'),
    coverage: of('coverage'),
    stability: of('stability'),
    corroboration: of('corroboration'),
  };
}
