/** What the list of scopes is made of: its orders, how many stand how, and its rows. */
import { h } from '../core/dom.js';
import { count, counted, share, since } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';
import { byNeed } from '../core/scopes.js';
import { chip, wordFor } from '../parts/chips.js';
import { choice } from '../parts/fields.js';
import { spark } from '../parts/spark.js';

const STATUSES = ['diverging', 'plateaued', 'converging', 'converged', 'empty'];

/** In the address by their names; the first has none. */
export const ORDERS = {
  '': { words: 'furthest from agreement', compare: byNeed },
  score: { words: 'lowest score', compare: (a, b) => (a.score ?? 2) - (b.score ?? 2) || byNeed(a, b) },
  disputed: { words: 'most disputed facts', compare: (a, b) => b.groups.disputed - a.groups.disputed || byNeed(a, b) },
  measured: {
    words: 'changed last',
    compare: (a, b) => (b.measured_at ?? '').localeCompare(a.measured_at ?? '') || byNeed(a, b),
  },
};

export const orderOf = (name = '') => ORDERS[Object.hasOwn(ORDERS, name) ? name : ''].compare;

export const fits = ({ status, scope_id }, { status: wanted, q }) =>
  (!wanted || status === wanted) && (!q || scope_id.includes(q.toLowerCase()));

export function statuses({ scopes, isMore }, { status = '' }, change) {
  const options = STATUSES.map((one) => [one, scopes.filter((scope) => scope.status === one).length])
    .filter(([, n]) => n > 0)
    .map(([one, n]) => [one, `${wordFor(one)} ${count(n)}`]);
  if (options.length === 0) return null;
  return choice({
    label: 'How they stand',
    value: status,
    options: [['', `${isMore ? 'the first' : 'all'} ${count(scopes.length)}`], ...options],
    onChange: (value) => change({ status: value }),
  });
}

/** For who sees: each row says the same in words. */
export const heads = () =>
  h(
    'div',
    { class: 'row scope heads', 'aria-hidden': 'true' },
    ['Scope', 'How it stands', 'Score of 100'].map((title) => h('span', {}, title)),
    h(
      'span',
      { class: 'spark' },
      h('span', { class: 'ink-accent' }, 'score'),
      ', ',
      h('span', { class: 'ink-warn' }, 'disagreement'),
    ),
    h('span', { class: 'disputed' }, 'Facts'),
    h('span', { class: 'when' }, 'Measured'),
  );

export function row({ tenant_id, scope_id, status, score, groups, history, batches_to_go, measured_at }) {
  return h(
    'a',
    { class: 'row scope', href: href(['scopes', tenant_id, scope_id]) },
    h('span', { class: 'what' }, h('strong', {}, scope_id), h('small', {}, nameOf(tenant_id))),
    chip(status),
    h(
      'span',
      { class: 'score' },
      h('strong', {}, score === null ? '–' : share(score)),
      h('span', { class: 'bar' }, h('span', { vars: { '--part': score ?? 0 } })),
    ),
    spark(history),
    h(
      'span',
      { class: 'disputed' },
      groups.disputed > 0 ? h('span', { class: 'ink-bad' }, `${count(groups.disputed)} disputed`) : 'none disputed',
      h('small', {}, `of ${counted(groups.total, 'fact')}`),
    ),
    h(
      'span',
      { class: 'when' },
      since(measured_at),
      batches_to_go > 0 && h('small', {}, `${counted(batches_to_go, 'batch', 'batches')} to go`),
    ),
  );
}
