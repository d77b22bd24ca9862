/** The figures of the last minutes, sampled in every view, so that the charts are there when one comes back. */
import { get } from './api.js';
import { samplesOf } from './histogram.js';
import { poll } from './poll.js';
import { Recent } from './recent.js';
import { Store } from './store.js';

const EVERY_MS = 2000;
/** After so long without any, the line has a hole: the tab was hidden, or the machine asleep. */
const HOLE_S = 10;
/** Fifteen minutes. */
const MAX_SAMPLES = 450;

/** In which column of a row each figure is. */
export const COLUMNS = {
  at: 0,
  accepted: 1,
  processed: 2,
  waiting: 3,
  oldest: 4,
  busy: 5,
  accept: [6, 7],
  batch: [8, 9],
};
const WIDTH = 10;

/**
 * Rows of one moment each; `snapshot` is the last answer of the hatchery, `lanes` how many are in work, waiting and held, both of the
 * moment `at`; `problem` is why they could not be read since.
 */
export const samples = new Store({ rows: [], snapshot: null, lanes: null, at: null, problem: null });

const TAKES_DOCUMENTS = new Set(['/api/ingest', '/api/ingest/batch', '/api/documents']);
const accepting = new Recent(
  'docket_http_request_seconds',
  ({ method, route, status }) => method === 'POST' && TAKES_DOCUMENTS.has(route) && status === '2xx',
);
const batches = new Recent('docket_batch_seconds');

export function startSampling(signal) {
  poll(sample, EVERY_MS, signal);
}

async function sample() {
  const at = Date.now() / 1000;
  const rows = withHole(samples.value.rows, at);
  try {
    const [snapshot, metrics] = await Promise.all([
      get('/internals/kernel/hatchery/snapshot'),
      get('/internals/metrics'),
    ]);
    const { arrival_per_s, service_per_s, backlog, oldest_age_ms, utilisation } = snapshot.load;
    const row = [
      ...[at, arrival_per_s, service_per_s, backlog, oldest_age_ms, utilisation],
      ...accepting.percentiles(metrics, at),
      ...batches.percentiles(metrics, at),
    ];
    const lanes = Object.fromEntries(
      samplesOf(metrics, 'docket_lanes').map(({ labels, value }) => [labels.state, value]),
    );
    samples.set({ rows: [...rows, row].slice(-MAX_SAMPLES), snapshot, lanes, at: at * 1000, problem: null });
  } catch (problem) {
    // A hole in the lines: nothing is known of then. One is enough.
    const isHole = rows.length > 0 && rows.at(-1)[1] === null;
    const hole = [at, ...Array(WIDTH - 1).fill(null)];
    samples.set({
      ...samples.value,
      rows: isHole || rows.length === 0 ? rows : [...rows, hole].slice(-MAX_SAMPLES),
      problem,
    });
  }
}

/** With a hole at the end where nothing was sampled for a while. */
function withHole(rows, now) {
  const last = rows.at(-1);
  const isLate = last && last[1] !== null && now - last[COLUMNS.at] > HOLE_S;
  return isLate ? [...rows, [last[COLUMNS.at] + 1, ...Array(WIDTH - 1).fill(null)]] : rows;
}

/** By columns, as a chart takes them. */
export const columns = (rows, ...which) => [COLUMNS.at, ...which].map((n) => rows.map((row) => row[n]));
