/** What Prometheus may ask of this node: counters that it keeps itself, and gauges that are read when asked. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { LaneLoad } from '../storage/lanes.ts';
import type { ExtractorFigures } from './extractor.ts';
import type { Turn } from './turn.ts';

export interface Gauges {
  load: LaneLoad | null;
  workers: { idle: number; busy: number; draining: number };
  nodes: { up: number; lost: number };
  queueUp: boolean;
  streams: number;
  waiters: number;
  state: string;
  /** Null when there is none of the operator's own. */
  extractor: ExtractorFigures | null;
}

export class Prometheus {
  readonly #registry = new Registry();
  readonly #queued: Counter;
  readonly #documents: Counter<'outcome'>;
  readonly #batches: Counter<'outcome'>;
  readonly #seconds: Histogram;
  readonly #crashes: Counter;
  readonly #extracted: Counter<'outcome'>;
  readonly #gauges: Record<'backlog' | 'oldest' | 'queueUp' | 'streams' | 'waiters' | 'inLine', Gauge> & {
    lanes: Gauge<'state'>;
    workers: Gauge<'state'>;
    nodes: Gauge<'state'>;
    runtime: Gauge<'state'>;
    extractor: Gauge<'who'>;
  };

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#queued = new Counter({
      name: 'docket_documents_queued_total',
      help: 'Documents this node queued',
      registers,
    });
    this.#documents = new Counter({
      name: 'docket_documents_total',
      help: 'What became of documents on this node',
      labelNames: ['outcome'],
      registers,
    });
    this.#batches = new Counter({
      name: 'docket_batches_total',
      help: 'Batches settled, or lost because the lease ran out',
      labelNames: ['outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'docket_batch_seconds',
      help: 'How long a turn took, from taking the lane to the commit',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#crashes = new Counter({ name: 'docket_worker_crashes_total', help: 'Workers that crashed', registers });
    this.#extracted = new Counter({
      name: 'docket_extractor_documents_total',
      help: 'What became of documents at the extractor of your own; the built-in one read those not answered',
      labelNames: ['outcome'],
      registers,
    });
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    const byState = (name: string, help: string) => new Gauge({ name, help, labelNames: ['state'], registers });
    this.#gauges = {
      backlog: gauge('docket_backlog_documents', 'Documents that wait to be processed, over all tenants'),
      oldest: gauge('docket_oldest_waiting_seconds', 'Age of the oldest document that waits'),
      queueUp: gauge('docket_queue_up', 'Whether the queue answers'),
      streams: gauge('docket_streams', 'Event streams that this node has open'),
      waiters: gauge('docket_waiters', 'Requests that wait for documents on this node'),
      inLine: gauge('docket_extractor_waiting', 'Documents that wait in line for the extractor of your own'),
      extractor: new Gauge({
        name: 'docket_extractor_left_alone',
        help: 'Whose documents are not sent to the extractor of your own for a while: all, or how many tenants',
        labelNames: ['who'],
        registers,
      }),
      lanes: byState('docket_lanes', 'Scopes with documents to process'),
      workers: byState('docket_workers', 'Workers of this node'),
      nodes: byState('docket_nodes', 'Replicas'),
      runtime: byState('docket_runtime_state', '1 for the state that the whole runtime is in'),
    };
  }

  arrived(documents: number): void {
    this.#queued.inc(documents);
  }

  turn(turn: Turn | 'lost', ms: number): void {
    this.#batches.inc({ outcome: turn === 'lost' ? 'lost' : 'settled' });
    this.#seconds.observe(ms / 1000);
    if (turn === 'lost') return;
    for (const outcome of ['processed', 'failed', 'retried', 'superseded'] as const)
      this.#documents.inc({ outcome }, turn[outcome]);
  }

  crashed(): void {
    this.#crashes.inc();
  }

  async render({
    load,
    workers,
    nodes,
    queueUp,
    streams,
    waiters,
    state,
    extractor,
  }: Gauges): Promise<{ contentType: string; text: string }> {
    const gauges = this.#gauges;
    if (load) {
      gauges.backlog.set(load.backlog);
      gauges.oldest.set(load.oldest_age_ms / 1000);
      gauges.lanes.set({ state: 'in_work' }, load.in_work);
      gauges.lanes.set({ state: 'waiting' }, load.lanes - load.in_work);
    }
    gauges.queueUp.set(queueUp ? 1 : 0);
    gauges.streams.set(streams);
    gauges.waiters.set(waiters);
    for (const [name, n] of Object.entries(workers)) gauges.workers.set({ state: name }, n);
    for (const [name, n] of Object.entries(nodes)) gauges.nodes.set({ state: name }, n);
    for (const name of ['running', 'paused', 'stopped']) gauges.runtime.set({ state: name }, name === state ? 1 : 0);
    if (extractor) this.#setExtractor(extractor);
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }
  #setExtractor({ waiting, isUnreachable, tenantsResting, ...counts }: ExtractorFigures): void {
    this.#extracted.reset();
    for (const [outcome, n] of Object.entries(counts)) this.#extracted.inc({ outcome }, n);
    this.#gauges.inLine.set(waiting);
    this.#gauges.extractor.set({ who: 'all' }, isUnreachable ? 1 : 0);
    this.#gauges.extractor.set({ who: 'tenants' }, tenantsResting);
  }
}
