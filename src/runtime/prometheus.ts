/** What Prometheus may ask of this node: counters that it keeps itself, and gauges that are read when asked. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CONTRACT_VERSION } from '../contract/version.ts';
import { type Family, toText } from '../figures/text.ts';
import { RELEASE } from '../storage/release.ts';
import type { ExtractorFigures } from './extractor.ts';
import type { Turn } from './turn.ts';

export interface Gauges {
  workers: { idle: number; busy: number; draining: number };
  postgresUp: boolean;
  /** How old the figures of the whole service are; null when there are none. */
  ageMs: number | null;
  /** Events that are in the log and this process has not read; null when that is not known. */
  eventsBehind: number | null;
  queueUp: boolean;
  streams: number;
  waiters: number;
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
  readonly #gauges: Record<'postgresUp' | 'queueUp' | 'streams' | 'waiters' | 'inLine', Gauge> & {
    workers: Gauge<'state'>;
    extractor: Gauge<'who'>;
  };

  constructor(nodeId: string) {
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
    this.#gauges = {
      postgresUp: gauge('docket_postgres_up', 'Whether Postgres answered this process within 2 s'),
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
      workers: new Gauge({
        name: 'docket_workers',
        help: 'Workers of this node',
        labelNames: ['state'],
        registers,
      }),
    };
    new Gauge({
      name: 'docket_build_info',
      help: 'Always 1; the labels say which release runs, and on which Node',
      labelNames: ['version', 'release', 'node'],
      registers,
    }).set({ version: CONTRACT_VERSION, release: `${RELEASE}`, node: process.version }, 1);
    const help = 'Always 1; the label says which node it is, also where several are behind one address';
    new Gauge({ name: 'docket_node_info', help, labelNames: ['node_id'], registers }).set({ node_id: nodeId }, 1);
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

  /** `more` is what others have counted, and what is known of the whole service. */
  async render(figures: Gauges, more: Family[]): Promise<{ contentType: string; text: string }> {
    const { workers, postgresUp, ageMs, eventsBehind, queueUp, streams, waiters, extractor } = figures;
    const gauges = this.#gauges;
    gauges.postgresUp.set(postgresUp ? 1 : 0);
    gauges.queueUp.set(queueUp ? 1 : 0);
    gauges.streams.set(streams);
    gauges.waiters.set(waiters);
    for (const [name, n] of Object.entries(workers)) gauges.workers.set({ state: name }, n);
    if (extractor) this.#setExtractor(extractor);
    const families = [
      ...more,
      maybe('docket_service_figures_age_seconds', 'How old the figures of the whole service are here', ageMs, 1000),
      maybe('docket_events_behind', 'Events in the log that this process has not read yet', eventsBehind),
    ];
    const text = `${await this.#registry.metrics()}\n${toText(families)}`;
    return { contentType: this.#registry.contentType, text };
  }

  #setExtractor({ waiting, isUnreachable, tenantsResting, ...counts }: ExtractorFigures): void {
    this.#extracted.reset();
    for (const [outcome, n] of Object.entries(counts)) this.#extracted.inc({ outcome }, n);
    this.#gauges.inLine.set(waiting);
    this.#gauges.extractor.set({ who: 'all' }, isUnreachable ? 1 : 0);
    this.#gauges.extractor.set({ who: 'tenants' }, tenantsResting);
  }
}

/** Nothing is said of what is not known. */
function maybe(name: string, help: string, value: number | null, per = 1): Family {
  return { name, help, type: 'gauge', samples: value === null ? [] : [{ value: value / per }] };
}
