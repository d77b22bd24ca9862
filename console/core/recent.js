/** What a histogram has counted in the last half minute, on all nodes that have answered: behind one address there may be several. */
import { bucketsOf, difference, quantile, samplesOf, sum } from './histogram.js';

const WINDOW_S = 30;
/** Those that have not answered for longest are forgotten first. */
const MAX_NODES = 64;

export class Recent {
  #name;
  #fits;
  /** @type {Map<string, { at: number, buckets: number[][] }[]>} Of each node, from just before the window on. */
  #nodes = new Map();

  /**
   * `fits(labels)` says which of the histogram's series count.
   * @param {string} name
   * @param {(labels: any) => boolean} fits
   */
  constructor(name, fits = () => true) {
    this.#name = name;
    this.#fits = fits;
  }

  /** p50 and p99 in milliseconds, with what a node has told at a moment, in seconds; null where nothing was counted. */
  percentiles(metrics, at) {
    const node = nodeOf(metrics);
    const readings = this.#nodes.get(node) ?? [];
    readings.push({ at, buckets: bucketsOf(metrics, this.#name, this.#fits) });
    // The last that is new enough comes last.
    this.#nodes.delete(node);
    this.#nodes.set(node, readings);
    if (this.#nodes.size > MAX_NODES) this.#nodes.delete([...this.#nodes.keys()][0]);
    const grown = sum([...this.#nodes.values()].map((all) => growth(all, at)));
    return [0.5, 0.99].map((q) => {
      const seconds = quantile(grown, q);
      return seconds === null ? null : seconds * 1000;
    });
  }
}

const nodeOf = (metrics) => samplesOf(metrics, 'docket_node_info')[0]?.labels.node_id ?? '';

function growth(readings, at) {
  while (readings.length > 1 && readings[1].at <= at - WINDOW_S) readings.shift();
  const last = readings.at(-1);
  const grown = difference(last.buckets, readings[0].buckets);
  if (grown === null) readings.splice(0, readings.length, last);
  return last.at > at - WINDOW_S && readings.length > 1 ? grown : [];
}
