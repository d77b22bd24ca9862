/** What is known of the kernel: rates that this node counts, what the nodes say of themselves, and whether all is well. */
import type { Database } from '../domain/database.ts';
import { type AppError, isUnavailable } from '../errors.ts';
import type { ProcessFigures } from '../figures/process.ts';
import type { LaneQueue } from '../queue/lane-queue.ts';
import { findLaneLoadAcrossTenants } from '../storage/lane-load.ts';
import { listNodes, type NodeReport } from '../storage/nodes.ts';
import { findRuntime } from '../storage/runtime.ts';
import type { SchemaWatch } from '../storage/schema-watch.ts';
import type { Hatchery } from './hatchery.ts';
import { type Known, LastKnown } from './last-known.ts';
import { describe, isUp } from './node.ts';
import { Prometheus } from './prometheus.ts';
import { Rate } from './rate.ts';
import { readServiceState, type ServiceState, serviceFamilies } from './service-state.ts';
import type { Turn } from './turn.ts';
import type { Extractor } from './turn-parts.ts';

/** Health and metrics are late for whoever watches, if they take longer. */
const PATIENCE_MS = 2000;

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
  /** The newest event that this process has read. */
  eventPosition?: () => number;
  /** What this process counts beside. */
  process?: ProcessFigures;
  extractor?: Extractor | undefined;
  /** Runnable work and no progress for so long is not healthy. */
  stallMs: number;
}

export class Figures {
  readonly #options: FiguresOptions;
  readonly #prometheus: Prometheus;
  readonly #service: LastKnown<ServiceState>;
  readonly #arrivals = new Rate();
  readonly #services = new Rate();
  readonly #busyMs = new Rate();
  #batches = 0;
  #pinging: Promise<boolean> | null = null;

  constructor(options: FiguresOptions) {
    this.#options = options;
    const { db, schema, nodeId } = options;
    this.#prometheus = new Prometheus(nodeId);
    this.#service = new LastKnown((onAnswered) => readServiceState(db, schema, onAnswered));
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

  async health(waitedMs = 0) {
    const { checks, ...health } = await this.controlPlaneHealth(waitedMs);
    const { postgres, workers } = checks;
    const status = postgres.status === 'up' && workers.status === 'up' ? 'ok' : 'unavailable';
    const { runtime, held } = health;
    return { status, node_id: this.#options.nodeId, runtime, held, checks: { postgres, workers } };
  }

  /** Lanes that could run and have not for long, while nobody has settled a batch: a closed socket is not needed for that. */
  #checkWorkers({ runtime, nodes, load }: ServiceState): Check {
    const { stallMs } = this.#options;
    if (runtime.state !== 'running') return up;
    if (!load) return unknown;
    if (load.longest_wait_ms <= stallMs) return up;
    if (nodes.some(({ unproductive_ms }) => unproductive_ms !== null && unproductive_ms <= stallMs)) return up;
    const seconds = Math.round(load.longest_wait_ms / 1000);
    return down(`there has been work for ${seconds} s, and nothing was processed in the last ${stallMs / 1000} s`);
  }

  async controlPlaneHealth(waitedMs = 0) {
    const queueUp = this.#queueUp();
    const known = await this.#service.look(PATIENCE_MS - waitedMs);
    const { value, isFresh, isAnswered } = known;
    const eventsUp = this.#options.eventsUp() ? up : down('the event log cannot be read; streams wait');
    const checks = {
      postgres: !isAnswered ? down(whyDown(known)) : value?.unfit ? down(value.unfit) : up,
      queue: (await queueUp) ? up : down('it does not answer; documents are accepted and wait'),
      events: isAnswered ? eventsUp : unknown,
      workers: isFresh && value ? this.#checkWorkers(value) : isAnswered ? late : unknown,
    };
    const isWell = Object.values(checks).every(({ status }) => status === 'up');
    return {
      status: isWell ? 'ok' : 'unavailable',
      service: 'control-plane' as const,
      checks,
      runtime: value?.runtime.state ?? null,
      held: value?.load?.held ?? null,
      nodes: value?.nodes.map(describe) ?? [],
    };
  }

  /** One ping for all who ask at the same time. */
  #queueUp(): Promise<boolean> {
    this.#pinging ??= this.#options.queue.isUp().finally(() => {
      this.#pinging = null;
    });
    return this.#pinging;
  }

  /** Without Postgres, what this node knows by itself is still worth an answer, and so is what was last known of all. */
  async metrics(waitedMs = 0) {
    const { hatchery, process, extractor, eventPosition } = this.#options;
    const queueUp = this.#queueUp();
    const { value, asOf, isFresh, isAnswered } = await this.#service.look(PATIENCE_MS - waitedMs);
    const snapshots = hatchery?.snapshot() ?? [];
    const count = (state: string) => snapshots.filter((worker) => worker.state === state).length;
    const isBehindKnown = isFresh && typeof value?.lastEventId === 'number' && eventPosition;
    const gauges = {
      workers: { idle: count('idle'), busy: count('busy'), draining: count('draining') },
      postgresUp: isAnswered,
      ageMs: asOf === null ? null : Math.max(0, Date.now() - asOf),
      eventsBehind: isBehindKnown ? Math.max(0, (value.lastEventId as number) - eventPosition()) : null,
      queueUp: await queueUp,
      streams: this.#options.streams(),
      waiters: this.#options.waiters(),
      extractor: extractor?.figures ?? null,
    };
    return this.#prometheus.render(gauges, [...(value ? serviceFamilies(value) : []), ...(process?.families() ?? [])]);
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
const late: Check = down('not known: Postgres answers, and has not said in time what waits');

/** And how old is what is said beside it. */
function whyDown({ error, asOf }: Known<ServiceState>): string {
  const why = isUnavailable(error) ? (error as AppError).message : 'it does not answer';
  return asOf === null ? why : `${why} (what is said of runtime and nodes is of ${new Date(asOf).toISOString()})`;
}
