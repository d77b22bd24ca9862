/** The charts of Now: how much comes and goes, what waits, and how long it takes. */
import { h, kept, patch } from '../core/dom.js';
import { count, duration, rate, share } from '../core/format.js';
import { COLUMNS, columns } from '../core/sampler.js';
import { Chart } from '../parts/chart.js';
import { whyStale } from '../parts/stale.js';

/** So much of the past is shown at least, however little of it is known yet; up to all that is sampled. */
const WINDOW_S = 60;
const PERCENTILES =
  'of the last 30 s half took less than p50, and 1 in 100 more than p99; on the nodes that have answered';

const percentiles = [
  { name: 'p50', ink: 'accent', format: duration },
  { name: 'p99', ink: 'warn', format: duration },
];

const charts = [
  {
    title: 'Documents a second',
    hint: 'Means of ten seconds, over all nodes',
    series: [
      { name: 'accepted', ink: 'accent', format: rate },
      { name: 'processed', ink: 'good', format: rate },
    ],
    columns: [COLUMNS.accepted, COLUMNS.processed],
    least: 1,
  },
  {
    title: 'Waiting',
    hint: 'Documents that wait to be processed, over all nodes; those that are held on purpose, too',
    series: [{ name: 'documents', ink: 'accent', format: count }],
    columns: [COLUMNS.waiting],
    least: 10,
  },
  {
    title: 'Oldest waiting',
    hint: 'Age of the oldest document that waits and is not held on purpose',
    series: [{ name: '', ink: 'accent', format: duration }],
    columns: [COLUMNS.oldest],
    least: 1000,
  },
  {
    title: 'Time to accept',
    hint: `From a request with documents to its answer: ${PERCENTILES}`,
    series: percentiles,
    columns: COLUMNS.accept,
    least: 50,
    nothing: () => 'No document was accepted of late by the nodes that have answered.',
  },
  {
    title: 'Time to process a batch',
    hint: `From taking documents of a scope until they are done: ${PERCENTILES}`,
    series: percentiles,
    columns: COLUMNS.batch,
    least: 100,
    // Each node times its own batches.
    nothing: ({ size }) =>
      size.max === 0
        ? 'The node that answers has no workers. How long batches take is told by nodes that have some, which this address does not reach.'
        : 'No batch was done of late by the nodes that have answered.',
  },
  {
    title: 'Workers at work',
    hint: 'How much of their time the workers of all nodes are busy',
    series: [{ name: '', ink: 'accent', format: (part) => `${share(part)} %` }],
    columns: [COLUMNS.busy],
    least: 1,
  },
];

/** Why a chart is empty; nothing where it is not. */
function whyEmpty({ rows, snapshot, problem }, { columns: which, nothing = null }) {
  if (rows.some((row) => which.some((n) => row[n] !== null))) return '';
  if (problem) return `It could not be read. ${whyStale(problem)}`;
  // Percentiles are of what came between two samples.
  return snapshot && rows.length > 1 ? (nothing?.(snapshot) ?? '') : 'Looking…';
}

/** `element` stays; `set` draws what was sampled. */
export function nowCharts(signal) {
  const drawn = charts.map((options) => {
    const chart = new Chart({ ...options, window: WINDOW_S }, signal);
    const why = h('p', { class: 'why muted' });
    chart.element.append(why);
    return { ...options, chart, why };
  });
  const elements = drawn.map(({ chart }) => chart.element);
  return {
    element: kept(h('div', { class: 'charts' }, elements)),
    set(sampled) {
      for (const { chart, why, ...options } of drawn) {
        if (sampled.rows.length > 0) chart.set(columns(sampled.rows, ...options.columns));
        patch(why, whyEmpty(sampled, options));
      }
    },
  };
}
