/** The charts of Now: how much comes and goes, what waits, and how long it takes. */
import { h, kept } from '../core/dom.js';
import { count, duration, rate, share } from '../core/format.js';
import { COLUMNS, columns } from '../core/sampler.js';
import { Chart } from '../parts/chart.js';

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
  },
  {
    title: 'Time to process a batch',
    hint: `From taking documents of a scope until they are done: ${PERCENTILES}`,
    series: percentiles,
    columns: COLUMNS.batch,
    least: 100,
  },
  {
    title: 'Workers at work',
    hint: 'How much of their time the workers of all nodes are busy',
    series: [{ name: '', ink: 'accent', format: (part) => `${share(part)} %` }],
    columns: [COLUMNS.busy],
    least: 1,
  },
];

/** `element` stays; `set(rows)` draws what was sampled. */
export function nowCharts(signal) {
  const drawn = charts.map((chart) => ({ ...chart, chart: new Chart({ ...chart, window: WINDOW_S }, signal) }));
  const elements = drawn.map(({ chart }) => chart.element);
  return {
    element: kept(h('div', { class: 'charts' }, elements)),
    set(rows) {
      if (rows.length > 0) for (const { chart, columns: which } of drawn) chart.set(columns(rows, ...which));
    },
  };
}
