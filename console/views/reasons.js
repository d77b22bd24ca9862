/** Why documents have failed: errors that begin alike, counted in what is on the page, each a filter on a click. */
import { h } from '../core/dom.js';
import { count } from '../core/format.js';

const MAX_SHOWN = 5;
const SHORTEST = 12;

/** What errors of one kind have in common: all up to the first figure or quotation, since those differ from one to the next. */
export function beginningOf(error) {
  const at = error.slice(SHORTEST).search(/[\d"'`“(]/);
  return (at < 0 ? error : error.slice(0, SHORTEST + at)).trimEnd();
}

/** `{ error, n, isWhole }`, the most frequent first: the whole error where all of them have the same, or else how they begin. */
export function reasonsOf(items) {
  const found = new Map();
  for (const { error } of items) {
    if (!error) continue;
    const beginning = beginningOf(error);
    const reason = found.get(beginning) ?? { error, n: 0, isWhole: true };
    const isWhole = reason.isWhole && reason.error === error;
    found.set(beginning, { error: isWhole ? error : beginning, n: reason.n + 1, isWhole });
  }
  return [...found.values()].sort((a, b) => b.n - a.n);
}

export function reasons(items, onChoose) {
  const all = reasonsOf(items);
  if (all.length < 2) return null;
  const most = all[0].n;
  return h(
    'section',
    { class: 'reasons', 'aria-labelledby': 'reasons-title' },
    h('h2', { id: 'reasons-title' }, 'Why'),
    h(
      'ul',
      {},
      all
        .slice(0, MAX_SHOWN)
        .map(({ error, n, isWhole }) =>
          h(
            'li',
            { key: error },
            h(
              'button',
              { type: 'button', onclick: () => onChoose(error), title: 'Show these only' },
              h('span', { class: 'bar', vars: { '--part': n / most } }),
              h('span', { class: 'words' }, isWhole ? error : `${error} …`),
              h('span', { class: 'number' }, count(n)),
            ),
          ),
        ),
    ),
    all.length > MAX_SHOWN && h('p', { class: 'muted' }, `and ${count(all.length - MAX_SHOWN)} others`),
  );
}
