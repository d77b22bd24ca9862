/** All that this process counts for Prometheus as it works. What it costs to count is paid for by every document. */
import { Batches, Histogram, SECONDS } from './histogram.ts';
import { HttpFigures } from './http.ts';
import { Refusals } from './refusals.ts';
import type { Family } from './text.ts';

export const caches = ['keys', 'tenants', 'scope_indexes', 'sketches', 'claims'] as const;
export type CacheName = (typeof caches)[number];

/** What a cache counts of itself. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

export class ProcessFigures {
  readonly http = new HttpFigures();
  readonly refusals = new Refusals();
  /** Of what was accepted together; `apart` is what waited for its scope, or was large. */
  readonly flushes = { together: new Batches(), apart: new Batches() };
  readonly settles = new Batches();
  /** Of streams of documents, by what became of them. */
  readonly streamLines = { accepted: 0, rejected: 0, skipped: 0 };
  /** How many such streams are open. */
  ingestStreams = () => 0;
  /** From when an event was written until this process had it for its streams. */
  readonly eventLag = new Histogram(SECONDS);
  readonly #caches = new Map<CacheName, Readonly<CacheCounts>>();

  cache(name: CacheName, counts: Readonly<CacheCounts>): void {
    this.#caches.set(name, counts);
  }

  families(): Family[] {
    const { flushes, settles } = this;
    const byKind = (figure: 'documents' | 'seconds') =>
      (['together', 'apart'] as const).map((kind) => ({ labels: { kind }, value: flushes[kind][figure] }));
    const byCache = (figure: keyof CacheCounts) =>
      [...this.#caches].map(([cache, counts]) => ({ labels: { cache }, value: counts[figure] }));
    const histogram = (name: string, help: string, samples: Family['samples']): Family => {
      return { name, help, type: 'histogram', samples };
    };
    return [
      this.http.family(),
      this.refusals.family(),
      histogram('docket_flush_documents', 'Documents that this process stored in one flush', byKind('documents')),
      histogram('docket_flush_seconds', 'How long a flush of this process took', byKind('seconds')),
      {
        name: 'docket_ingest_streams',
        help: 'Streams of documents that this process takes in',
        type: 'gauge',
        samples: [{ value: this.ingestStreams() }],
      },
      {
        name: 'docket_ingest_stream_lines_total',
        help: 'Lines of such streams, by what became of them',
        type: 'counter',
        samples: Object.entries(this.streamLines).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      histogram('docket_settle_documents', 'Documents that were settled at once', [{ value: settles.documents }]),
      histogram('docket_settle_seconds', 'How long it took to settle them', [{ value: settles.seconds }]),
      histogram(
        'docket_event_lag_seconds',
        'From when an event was written until this process had it for its streams; only while somebody follows',
        [{ value: this.eventLag }],
      ),
      ...(['hits', 'misses'] as const).map((figure) => ({
        name: `docket_cache_${figure}_total`,
        help: figure === 'hits' ? 'What a cache of this process had in hand' : 'What it had to ask the database for',
        type: 'counter' as const,
        samples: byCache(figure),
      })),
    ];
  }
}
