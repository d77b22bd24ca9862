/** Who is at work: the parts of the service, its nodes, and the workers of the node that answers. */
import { h } from '../core/dom.js';
import { at, count, since } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';
import { chip } from '../parts/chips.js';
import { loading } from '../parts/states.js';

const checks = { postgres: 'Postgres', queue: 'Queue', events: 'Event log', workers: 'Workers' };

const table = (titles, rows) =>
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

export function nodesSection({ plane, accepts }) {
  if (!plane) return h('section', {}, h('h2', {}, 'Parts and nodes'), loading(2));
  return h(
    'section',
    { 'aria-labelledby': 'nodes-title' },
    h('h2', { id: 'nodes-title' }, 'Parts and nodes'),
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

/** Only those that have something in hand: the idle ones are a number. */
export function workersSection({ snapshot, lanes }) {
  if (!snapshot) return null;
  const busy = snapshot.workers.filter(({ lane }) => lane !== null);
  const idle = snapshot.workers.length - busy.length;
  return h(
    'section',
    { 'aria-labelledby': 'workers-title' },
    h('h2', { id: 'workers-title' }, 'At work'),
    h(
      'dl',
      { class: 'tiles' },
      tile('Scopes in work', lanes?.in_work),
      tile('Scopes waiting', lanes?.waiting),
      tile('Scopes held', lanes?.held),
      tile('Workers busy', busy.length, `of ${snapshot.workers.length} on this node`),
    ),
    busy.length > 0 &&
      h(
        'div',
        { class: 'card scroll' },
        table(['Worker', 'State', 'Works on', 'Since', 'Documents', 'Failures'], busy.map(worker)),
      ),
    busy.length === 0 &&
      h(
        'p',
        { class: 'card calm' },
        idle > 0 ? 'All workers are idle: nothing waits for them.' : 'There are no workers on this node.',
      ),
  );
}

const tile = (title, n, more) =>
  h(
    'div',
    { class: 'card' },
    h('dt', {}, title),
    h('dd', {}, n === undefined ? '–' : count(n), more && h('small', {}, more)),
  );

const worker = ({ id, state, lane, since: from, documents, failures }) =>
  h(
    'tr',
    { key: id },
    h('th', { scope: 'row', class: 'id' }, id),
    h('td', { 'data-title': 'State' }, chip(state)),
    h(
      'td',
      { 'data-title': 'Works on' },
      h('a', { href: href(['scopes', lane.tenant_id, lane.scope_id]) }, `${nameOf(lane.tenant_id)} › ${lane.scope_id}`),
    ),
    h('td', { 'data-title': 'Since' }, since(from)),
    h('td', { 'data-title': 'Documents', class: 'number' }, count(documents)),
    h('td', { 'data-title': 'Failures', class: 'number' }, count(failures)),
  );
