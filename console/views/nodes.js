/** The parts of the service and its nodes: which work, and which do not. */
import { h } from '../core/dom.js';
import { at, since } from '../core/format.js';
import { chip } from '../parts/chips.js';
import { stale } from '../parts/stale.js';
import { failing, loading } from '../parts/states.js';
import { table } from './table.js';

const checks = { postgres: 'Postgres', queue: 'Queue', events: 'Event log', workers: 'Workers' };

export function nodesSection(health) {
  const { plane, accepts, problem } = health;
  if (!plane) return h('section', {}, h('h2', {}, 'Parts and nodes'), problem ? failing(problem) : loading(2));
  return h(
    'section',
    { 'aria-labelledby': 'nodes-title' },
    h('h2', { id: 'nodes-title' }, 'Parts and nodes'),
    stale(health),
    h(
      'ul',
      { class: 'checks' },
      check('Accepting', accepts?.status === 'ok' ? 'up' : 'down', accepts?.detail),
      Object.entries(checks).map(([name, title]) => check(title, plane.checks[name].status, plane.checks[name].detail)),
    ),
    h(
      'div',
      { class: 'card scroll' },
      table(['Node', 'State', 'Role', 'Workers busy', 'Started', 'Seen'], plane.nodes.map(node)),
    ),
  );
}

const check = (title, status, detail) =>
  h(
    'li',
    { class: 'card', key: title },
    h('span', {}, title),
    chip(status),
    status === 'down' && detail && h('small', {}, detail),
  );

const node = ({ node_id, role, state, workers, started_at, seen_at }) =>
  h(
    'tr',
    { key: node_id },
    h('th', { scope: 'row', class: 'id' }, node_id),
    h('td', { 'data-title': 'State' }, chip(state)),
    h('td', { 'data-title': 'Role' }, role),
    h('td', { 'data-title': 'Workers busy', class: 'number' }, `${workers.busy} of ${workers.actual}`),
    h('td', { 'data-title': 'Started' }, at(started_at)),
    h('td', { 'data-title': 'Seen' }, since(seen_at)),
  );
