/** What became of a document, step by step, and what is known of it. */
import { h } from '../core/dom.js';
import { at, count, duration } from '../core/format.js';
import { href } from '../core/router.js';
import { chip } from '../parts/chips.js';

/** Each step with how long it took from the one before. */
export function timeline({ accepted_at, queued_at, started_at, finished_at, state, attempts, not_before }) {
  const steps = [
    ['Accepted', accepted_at],
    ['Queued', queued_at],
    [attempts > 1 ? `Taken, attempt ${attempts}` : 'Taken', started_at],
    [state === 'failed' ? 'Failed' : 'Done', finished_at],
  ].filter(([, when]) => when);
  const waits = not_before && Date.parse(not_before) > Date.now();
  return h(
    'ol',
    { class: 'timeline' },
    steps.map(([title, when], n) => {
      const took = n > 0 ? Date.parse(when) - Date.parse(steps[n - 1][1]) : 0;
      return h(
        'li',
        { key: title },
        h('span', {}, title),
        at(when),
        took > 0 && h('small', {}, `after ${duration(took)}`),
      );
    }),
    waits && h('li', { key: 'waits' }, h('span', {}, 'Is tried again'), at(not_before)),
  );
}

export function facts(life, { tenant_id, scope_id, document_id }) {
  const pairs = [
    ['Document id', h('span', { class: 'id' }, document_id)],
    ['Tenant', h('span', { class: 'id' }, tenant_id)],
    ['Version', `${life.version}, seq ${life.seq}`],
    ['Type', life.type],
    ['Source', life.source],
    ['Attempts', count(life.attempts)],
    ['Claims', life.claims === null ? null : count(life.claims)],
    [
      'Contradictions',
      life.contradictions > 0
        ? h(
            'a',
            { href: href(['contradictions', tenant_id, scope_id], { document: document_id }) },
            `${count(life.contradictions)} open`,
          )
        : null,
    ],
  ];
  return h(
    'dl',
    { class: 'pairs' },
    pairs
      .filter(([, value]) => value)
      .map(([title, value]) => h('div', { key: title }, h('dt', {}, title), h('dd', {}, value))),
  );
}

export const versions = (list) =>
  h(
    'div',
    {},
    h('h3', {}, 'Its versions'),
    h(
      'ul',
      { class: 'versions' },
      list.map(({ version, state, accepted_at, error }) =>
        h(
          'li',
          { key: version },
          h('span', {}, `Version ${version}`),
          chip(state),
          at(accepted_at),
          error && h('small', {}, error),
        ),
      ),
    ),
  );
