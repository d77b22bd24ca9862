/** What is known of the kernel: rates that this node counts, what the nodes say of themselves, and whether all is well. */
import type { RuntimeState } from '../contract/runtime.ts';
import type { Database } from '../domain/database.ts';
import { type AppError, isUnavailable } from '../errors.ts';
import type { LaneQueue } from '../queue/lane-queue.ts';
import { findLaneLoadAcrossTenants } from '../storage/lanes.ts';
import { listNodes, type NodeReport, type NodeRow } from '../storage/nodes.ts';
import { findRuntime } from '../storage/runtime.ts';
import type { SchemaWatch } from '../storage/schema-watch.ts';
import type { Hatchery } from './hatchery.ts';
import { describe, isUp } from './node.ts';
import { Prometheus } from './prometheus.ts';
import { Rate } from './rate.ts';
import type { Turn } from './turn.ts';
import type { Extractor } from './turn-parts.ts';

export interface FiguresOptions {
  db: Database;
  schema: SchemaWatch;
  queue: LaneQueue;
  nodeId: string;
  workers: number;
  /** None on a node that only serves the API. */
  hatchery: Hatchery | null;
  /** Whether the event log is being read. */
  eventsUp: () => boolean;
  streams: () => number;
  waiters: () => number;
  extractor?: Extractor | undefined;
  /** Runnable work and no progress for so long is not healthy. */
  stallMs: number;
}

export class Figures {
  readonly #options: FiguresOptions;
  readonly #prometheus = new Prometheus();
  readonly #arrivals = new Rate();
  readonly #services = new Rate();
  readonly #busyMs = new Rate();
  #batches = 0;

  constructor(options: FiguresOptions) {
    this.#options = options;
  }

  arrived(documents: number): void {
    this.#arrivals.add(documents);
    this.#prometheus.arrived(documents);
  }

  turned(turn: Turn | 'lost', ms: number): void {
    this.#prometheus.turn(turn, ms);
    this.#busyMs.add(ms);
    if (turn === 'lost') return;
    this.#batches++;
    this.#services.add(turn.processed + turn.failed);
  }

  crashed(): void {
    this.#prometheus.crashed();
  }

  report(): NodeReport {
    const { workers, hatchery } = this.#options;
    const snapshots = hatchery?.snapshot() ?? [];
    return {
      workers: {
        target: hatchery?.isOpen ? workers : 0,
        actual: hatchery?.size ?? 0,
        busy: snapshots.filter(({ lane }) => lane).length,
      },
      arrival_per_s: this.#arrivals.perSecond(),
      service_per_s: this.#services.perSecond(),
      utilisation: Math.round(Math.min(1, this.#busyMs.perSecond() / (1000 * workers)) * 1000) / 1000,
      batches: this.#batches,
    };
  }

  async snapshot() {
    const { db, workers, hatchery, nodeId } = this.#options;
    const [load, nodes, runtime] = [await findLaneLoadAcrossTenants(db), await listNodes(db), await findRuntime(db)];
    const own = this.report();
    const reports = nodes.filter((node) => isUp(node) && node.node_id !== nodeId).map(({ report }) => report);
    const all = [own, ...reports];
    const sum = (figure: (report: NodeReport) => number) => all.reduce((total, report) => total + figure(report), 0);
    const target = sum((report) => report.workers.target);
    return {
      node_id: nodeId,
      taken_at: new Date().toISOString(),
      state: runtime.state,
      size: { target: own.workers.target, actual: own.workers.actual, min: 0, max: hatchery ? workers : 0 },
      load: {
        arrival_per_s: rounded(sum((report) => report.arrival_per_s)),
        service_per_s: rounded(sum((report) => report.service_per_s)),
        utilisation: rounded(target && sum((report) => report.utilisation * report.workers.target) / target),
        backlog: load.backlog,
        oldest_age_ms: load.oldest_age_ms,
      },
      workers: hatchery?.snapshot() ?? [],
      recent: [...(hatchery?.recent ?? [])],
      nodes: nodes.map(describe),
    };
  }

  async health() {
    const { checks, ...health } = await this.controlPlaneHealth();
    const { postgres, workers } = checks;
    const status = postgres.status === 'up' && workers.status === 'up' ? 'ok' : 'unavailable';
    return { status, node_id: this.#options.nodeId, runtime: health.runtime, checks: { postgres, workers } };
  }

  /** Lanes that could run and have not for long, while nobody has settled a batch: a closed socket is not needed for that. */
  async #checkWorkers(state: RuntimeState, nodes: NodeRow[]): Promise<Check> {
    const { db, stallMs } = this.#options;
    if (state !== 'running') return up;
    const { longest_wait_ms } = await findLaneLoadAcrossTenants(db);
    if (longest_wait_ms <= stallMs) return up;
    if (nodes.some(({ unproductive_ms }) => unproductive_ms !== null && unproductive_ms <= stallMs)) return up;
    const seconds = Math.round(longest_wait_ms / 1000);
    return down(`there has been work for ${seconds} s, and nothing was processed in the last ${stallMs / 1000} s`);
  }

  async controlPlaneHealth() {
    const { db, schema, queue } = this.#options;
    const queueUp = queue.isUp();
    let why = 'it does not answer';
    const runtime = await findRuntime(db).catch((error) => {
      if (isUnavailable(error)) why = (error as AppError).message;
      return null;
    });
    const unfit = await schema.whyUnfit(db);
    const checks = {
      postgres: !runtime ? down(why) : unfit ? down(unfit) : up,
      queue: (await queueUp) ? up : down('it does not answer; documents are accepted and wait'),
      events: unknown,
      workers: unknown,
    };
    if (!runtime) return { status: 'unavailable', service: 'control-plane' as const, checks, runtime: null, nodes: [] };
    const nodes = await listNodes(db);
    checks.events = this.#options.eventsUp() ? up : down('the event log cannot be read; streams wait');
    checks.workers = await this.#checkWorkers(runtime.state, nodes);
    const isWell = Object.values(checks).every(({ status }) => status === 'up');
    return {
      status: isWell ? 'ok' : 'unavailable',
      service: 'control-plane' as const,
      checks,
      runtime: runtime.state,
      nodes: nodes.map(describe),
    };
  }

  async metrics() {
    const { db, queue, hatchery } = this.#options;
    const queueUp = queue.isUp();
    // Without Postgres, what this node knows by itself is still worth an answer.
    const load = await findLaneLoadAcrossTenants(db).catch(() => null);
    const nodes = await listNodes(db).catch(() => []);
    const runtime = await findRuntime(db).catch(() => null);
    const snapshots = hatchery?.snapshot() ?? [];
    const count = (state: string) => snapshots.filter((worker) => worker.state === state).length;
    const up = nodes.filter(isUp).length;
    return this.#prometheus.render({
      load,
      workers: { idle: count('idle'), busy: count('busy'), draining: count('draining') },
      nodes: { up, lost: nodes.length - up },
      queueUp: await queueUp,
      streams: this.#options.streams(),
      waiters: this.#options.waiters(),
      state: runtime?.state ?? 'unknown',
      extractor: this.#options.extractor?.figures ?? null,
    });
  }
}

/** What nodes report has three digits; what sums of fractions leave in the last ones is no news. */
const rounded = (value: number) => Math.round(value * 1000) / 1000;

interface Check {
  status: 'up' | 'down';
  detail?: string;
}

const up: Check = { status: 'up' };
const down = (detail: string): Check => ({ status: 'down', detail });
const unknown: Check = down('not known while Postgres does not answer');
