/** Percentiles from histograms with four buckets for each doubling, as scope_metrics keeps them. Pure. */

const PER_DOUBLING = 4;
/** The last one also has whatever took longer. */
const BUCKETS = 108;

export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export function sumHistograms(histograms: number[][]): number[] {
  const longest = Math.max(0, ...histograms.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => histograms.reduce((sum, counts) => sum + (counts[at] ?? 0), 0));
}

export function percentilesOf(counts: number[]): Percentiles {
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), p99: percentile(counts, 0.99) };
}

/** In milliseconds; null when nothing was counted. Within a bucket, as if what it holds were spread evenly. */
function percentile(counts: number[], share: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let before = 0;
  for (const [at, n] of counts.entries()) {
    if (n > 0 && before + n >= wanted) {
      const low = at === 0 ? 0 : edge(at);
      return Math.round((low + ((wanted - before) / n) * (edge(at + 1) - low)) * 10) / 10;
    }
    before += n;
  }
  return edge(counts.length);
}

const edge = (at: number) => 2 ** (at / PER_DOUBLING);

/** Which bucket a duration belongs to, counted from 1 as arrays of Postgres are. */
export function bucketOf(ms: number): number {
  return Math.min(BUCKETS, 1 + Math.floor(PER_DOUBLING * Math.log2(Math.max(ms, 1))));
}
