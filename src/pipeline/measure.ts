/** Convergence: how far a scope's documents agree, and where that is going. Counts in, figures out. */

export interface ScopeCounts {
  groups: number;
  /** Groups with two or more documents, or with an open contradiction. */
  shared: number;
  /** Groups with an open contradiction. */
  disputed: number;
  /** Groups whose leading value changed within the last 5 batches; a new group has not changed. */
  changed: number;
  processed: number;
  /** Accepted, less those superseded and deleted. */
  expected: number;
  /** Open critical contradictions. */
  critical: number;
}

export const convergenceDimensions = ['agreement', 'coverage', 'stability', 'corroboration'] as const;
export type ConvergenceDimension = (typeof convergenceDimensions)[number];

/** They add up to 1: whoever reads them from the configuration sees to that. */
export type Weights = Record<ConvergenceDimension, number>;

/** How things stood after a batch, or after an operator's decision. */
export interface Point extends Record<ConvergenceDimension, number> {
  score: number;
  disagreement: number;
}

export type ConvergenceStatus = 'empty' | 'converged' | 'diverging' | 'plateaued' | 'converging';

export interface Judgement {
  status: ConvergenceStatus;
  /** By how much disagreement falls with each point, as a logarithm; null before there are two points. */
  rate: number | null;
  batches_to_go: number | null;
}

/** How many points `judge` looks at; older ones make no difference. */
export const POINTS_JUDGED = 5;

const CONVERGED_SCORE = 0.92;
const SETTLED_DISAGREEMENT = 0.005;
/** Below it there is nothing left to lose: ratios of ever smaller numbers would look like progress. */
const LEAST_DISAGREEMENT = 1e-6;
const DIVERGING_RATE = -0.05;
const LEAST_RATE = 0.001;
const MAX_BATCHES = 1000;
const LEAST_PROGRESS = 0.01;
/** 'The last 3 points': of those without a decrease, of those that tell a direction, of those without progress. */
const RECENT_POINTS = 3;
/** Sums of products differ in their last digits where they should be alike; no count of groups is near that. */
const NOISE = 1e-9;

export function measure(counts: ScopeCounts, weights: Weights): Point {
  const scores: Record<ConvergenceDimension, number> = {
    agreement: 1 - share(counts.disputed, counts.shared, 0),
    coverage: share(counts.processed, counts.expected, 1),
    // The design leaves open whether new groups are left out of all groups too. They are not: a scope that only grows is
    // stable, and one change among a thousand new groups is a small one.
    stability: 1 - share(counts.changed, counts.groups, 0),
    corroboration: share(counts.shared, counts.groups, 1),
  };
  return {
    ...scores,
    score: Math.min(
      1,
      sum((dimension) => weights[dimension] * scores[dimension]),
    ),
    disagreement: sum((dimension) => weights[dimension] * (1 - scores[dimension]) ** 2),
  };
}

/** What keeps the score from 1, and by how much. */
export function pressure(point: Point, weights: Weights): Record<ConvergenceDimension, number> {
  const of = (dimension: ConvergenceDimension) => weights[dimension] * (1 - point[dimension]);
  return {
    agreement: of('agreement'),
    coverage: of('coverage'),
    stability: of('stability'),
    corroboration: of('corroboration'),
  };
}

/** `points`: oldest first. The first status that fits is the one. */
export function judge(points: Point[], { groups, critical }: Pick<ScopeCounts, 'groups' | 'critical'>): Judgement {
  const recent = points.slice(-POINTS_JUDGED);
  const rate = rateOf(recent);
  const last = recent.at(-1);
  const status = (): ConvergenceStatus => {
    if (groups === 0) return 'empty';
    if (last && last.score >= CONVERGED_SCORE - NOISE && critical === 0 && !hasDecreased(recent)) return 'converged';
    if (rate !== null && rate < DIVERGING_RATE && recent.length >= RECENT_POINTS) return 'diverging';
    if (hasPlateaued(recent)) return 'plateaued';
    return 'converging';
  };
  return { status: status(), rate, batches_to_go: last ? batchesToGo(last.disagreement, rate) : null };
}

/** 'Over the last 5 points': 5 points, hence 4 steps. The mean of the steps' logarithms needs only the two ends. */
function rateOf(points: Point[]): number | null {
  const [first, last] = [points.at(0), points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  return Math.log(floored(first) / floored(last)) / (points.length - 1);
}

function batchesToGo(disagreement: number, rate: number | null): number | null {
  if (disagreement <= SETTLED_DISAGREEMENT) return 0;
  if (rate === null || rate <= LEAST_RATE) return null;
  const batches = Math.max(1, Math.ceil(Math.log(disagreement / SETTLED_DISAGREEMENT) / rate - NOISE));
  return batches > MAX_BATCHES ? null : batches;
}

/**
 * Of the score. Fewer than 3 points are judged by what there is: a scope whose documents all came in one batch, and agree,
 * would else never be called converged, since reads make no points.
 */
function hasDecreased(points: Point[]): boolean {
  return steps(points.slice(-RECENT_POINTS)).some(([before, after]) => after.score < before.score - NOISE);
}

/**
 * The design leaves open what makes progress, and how many points it takes. Here it is the disagreement, as for the rate;
 * progress is a point's own, against the one before it, so that 3 points without it need a fourth to begin from. A loss is
 * no progress either: what gets worse, but too slowly to be diverging, has plateaued.
 */
function hasPlateaued(points: Point[]): boolean {
  const last = steps(points.slice(-RECENT_POINTS - 1));
  return (
    last.length === RECENT_POINTS &&
    last.every(([before, after]) => 1 - floored(after) / floored(before) < LEAST_PROGRESS)
  );
}

function steps(points: Point[]): [before: Point, after: Point][] {
  return points.slice(1).map((after, at) => [points[at] as Point, after]);
}

const floored = ({ disagreement }: Point) => Math.max(disagreement, LEAST_DISAGREEMENT);

/** Counts are kept one by one: should one ever run ahead of the other, the share still is one. */
function share(part: number, whole: number, ofNothing: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : ofNothing;
}

function sum(of: (dimension: ConvergenceDimension) => number): number {
  return convergenceDimensions.reduce((total, dimension) => total + of(dimension), 0);
}
