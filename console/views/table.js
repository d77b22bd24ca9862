/** A table whose rows are cards on a phone. */
import { h } from '../core/dom.js';

export const table = (titles, rows) =>
  h(
    'table',
    { class: 'stacked' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        titles.map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    h('tbody', {}, rows),
  );
