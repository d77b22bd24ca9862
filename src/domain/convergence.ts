/** Convergence: how far a scope has settled. A point after each batch and each decision; what it means is `pipeline/measure`. */
import type { Point } from '../contract/convergence.ts';
import { appendEvents, type NewEvent } from '../events/log.ts';
import { type ConvergenceStatus, judge, measure, POINTS_JUDGED, pressure, type Weights } from '../pipeline/measure.ts';
import * as storage from '../storage/convergence.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import type { ScopeHandle } from '../storage/scopes.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';

interface NextPoint extends storage.NewPoint {
  status: ConvergenceStatus;
}

interface ConvergencePage extends Page {
  tenant_id?: string;
  scope_id?: string;
}

/** Points that a history shows. */
const MAX_HISTORY = 20;

/** Measures by the weights of the configuration, and alone knows them. */
export class Convergence {
  readonly #weights: Weights;

  constructor(weights: Weights) {
    this.#weights = weights;
  }

  /** The point that these counts make. */
  next(counts: storage.ConvergenceCounts): NextPoint {
    const point = measure(counts, this.#weights);
    const { status } = judge([...counts.recent, point].slice(-POINTS_JUDGED), counts);
    return { ...point, point: counts.point, status };
  }

  /**
   * The last word of a transaction that has decided something: adds the point that follows, and appends the events; `noted` is called
   * just before, since it takes a lock that everybody waits for.
   */
  async note(tx: Transaction, scope: ScopeHandle, events: NewEvent[], noted = async () => {}): Promise<void> {
    const counts = await storage.findConvergenceCounts(tx, scope.scope_key);
    const point = this.next(counts);
    await storage.insertPoint(tx, scope.scope_key, point);
    await noted();
    await appendEvents(tx, [...events, ...turningPoint(scope, counts.status, point)]);
  }

  /** Of scopes of all tenants, or of one. */
  async list(db: Queryable, { cursor, limit, tenant_id, scope_id }: ConvergencePage) {
    const after = decodeCursor('convergence', cursor, /^\d{1,18}$/, '0');
    const rows = await storage.listConvergenceAcrossTenants(db, tenant_id ?? null, scope_id ?? null, after, limit + 1);
    const { items, next_cursor } = toPage('convergence', rows, limit, ({ scope_key }) => scope_key);
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
        ...this.show(row),
        history: (histories.get(row.scope_key) ?? []).map(showPoint),
      })),
      next_cursor,
    };
  }

  show(row: storage.ConvergenceRow) {
    const last = row.recent.at(-1);
    return {
      ...trend(row),
      measured_at: last ? new Date(last.at).toISOString() : null,
      dimensions: last ? this.#dimensionsOf(last) : null,
      groups: { total: row.groups, shared: row.shared, disputed: row.disputed },
      blockers: row.blockers,
    };
  }

  #dimensionsOf(point: Point) {
    const pressures = pressure(point, this.#weights);
    const of = (name: keyof Weights) => ({
      score: rounded(point[name]),
      weight: rounded(this.#weights[name]),
      pressure: rounded(pressures[name]),
    });
    return {
      agreement: of('agreement'),
      coverage: of('coverage'),
      stability: of('stability'),
      corroboration: of('corroboration'),
    };
  }
}

export function turningPoint(
  { tenant_id, scope_id }: Pick<ScopeHandle, 'tenant_id' | 'scope_id'>,
  before: string,
  { status, score }: NextPoint,
): NewEvent[] {
  if (status === 'converged' && before !== 'converged')
    return [{ type: 'scope.converged', tenant_id, scope_id, payload: { score: rounded(score) } }];
  if (status !== 'converged' && before === 'converged')
    return [{ type: 'scope.reopened', tenant_id, scope_id, payload: { score: rounded(score), status } }];
  return [];
}

export async function trendOf(db: Queryable, tenantId: string, scopeId: string) {
  const row = await storage.findConvergence(db, { tenant_id: tenantId, scope_id: scopeId });
  if (!row) return null;
  const points = await storage.listPoints(db, [row.scope_key], MAX_HISTORY);
  return { ...trend(row), history: points.map(showPoint) };
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
