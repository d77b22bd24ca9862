/** Says of what is shown that it is old: of when it is, and why it could not be read since. */
import { connection } from '../core/api.js';
import { h } from '../core/dom.js';
import { timeOfDay } from '../core/format.js';
import { icon } from './icons.js';

/** Why nobody answers at all is said above all views. */
export const whyStale = (problem) => (connection.value.state === 'up' ? problem.message : '');

export const stale = ({ at, problem }) =>
  problem &&
  at !== null &&
  h(
    'p',
    { class: 'line ink-warn', key: 'stale' },
    icon('alert'),
    `As of ${timeOfDay(at)}. It could not be read since. ${whyStale(problem)}`,
  );
