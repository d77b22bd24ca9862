/** Reads figures out of the text format of Prometheus, and percentiles out of its histograms. */

/** The samples of a metric: each with its labels and its value. */
export function samplesOf(text, name) {
  const samples = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const next = line[name.length];
    if (next !== '{' && next !== ' ') continue;
    /** @type {Record<string, string>} */
    const labels = {};
    for (const [, label, value] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[label] = value;
    samples.push({ labels, value: Number(line.slice(line.lastIndexOf(' ') + 1)) });
  }
  return samples;
}

/** The buckets of a histogram, added up over those of its labels that fit: [upper bound, how many up to there]. */
export function bucketsOf(text, name, fits = (/** @type {any} */ _labels) => true) {
  /** @type {Map<number, number>} */
  const buckets = new Map();
  for (const { labels, value } of samplesOf(text, `${name}_bucket`)) {
    if (!fits(labels)) continue;
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  return [...buckets];
}

/** What has come since, where there was nothing before all of it; null when the counters are not those of before. */
export function difference(now, before) {
  if (before.length === 0) return now;
  if (now.length !== before.length) return null;
  const grown = now.map(([bound, n], at) => [bound, n - before[at][1]]);
  return grown.some(([, n]) => n < 0) ? null : grown;
}

/** Of one kind, taken together. */
export const sum = (all) =>
  all
    .filter((buckets) => buckets.length > 0)
    .reduce((one, two) => (one.length === 0 ? two : one.map(([bound, n], at) => [bound, n + two[at][1]])), []);

/** The value that a share of them is below, taken to lie evenly within a bucket; null when there are none. */
export function quantile(buckets, q) {
  const total = buckets?.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const rank = q * total;
  const at = buckets.findIndex(([, n]) => n >= rank);
  const [bound, upTo] = buckets[at];
  const [low, below] = at === 0 ? [0, 0] : buckets[at - 1];
  // Nothing is known of how far those lie that are above all bounds.
  if (bound === Infinity) return low;
  return low + ((bound - low) * (rank - below)) / Math.max(upTo - below, 1);
}
