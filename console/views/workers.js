/** Who is at work: how many workers all nodes have, and what those of the node that answers have in hand. */
import { h } from '../core/dom.js';
import { count, counted, since } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';
import { chip } from '../parts/chips.js';
import { stale } from '../parts/stale.js';
import { table } from './table.js';

/**
 * `{ nodes, actual, busy }` of all nodes that are up, each as it has told last; of the node that answers as it is now. Behind an address
 * there are often nodes that only take requests, and the workers are on others.
 */
export function workersOfAll(nodes, snapshot) {
  const own = snapshot?.workers ?? [];
  const all = nodes
    .filter(({ state }) => state === 'up')
    .map(({ node_id, workers }) =>
      node_id === snapshot?.node_id
        ? { actual: own.length, busy: own.filter(({ lane }) => lane !== null).length }
        : workers,
    )
    .filter(({ actual }) => actual > 0);
  const sum = (name) => all.reduce((total, workers) => total + workers[name], 0);
  return { nodes: all.length, actual: sum('actual'), busy: sum('busy') };
}

export function workersSection(sampled, { plane }) {
  const { snapshot, lanes } = sampled;
  if (!snapshot) return null;
  const all = workersOfAll(plane?.nodes ?? snapshot.nodes, snapshot);
  const inHand = snapshot.workers.filter(({ lane }) => lane !== null);
  return h(
    'section',
    { 'aria-labelledby': 'workers-title' },
    h('h2', { id: 'workers-title' }, 'At work'),
    stale(sampled),
    h(
      'dl',
      { class: 'tiles' },
      tile('Scopes in work', lanes?.in_work),
      tile('Scopes waiting', lanes?.waiting),
      tile('Scopes held', lanes?.held),
      tile('Workers busy', all.busy, `of ${count(all.actual)} on ${counted(all.nodes, 'node')}`),
    ),
    inHand.length > 0 &&
      h(
        'div',
        { class: 'card scroll' },
        table(['Worker', 'State', 'Works on', 'Since', 'Documents', 'Failures'], inHand.map(worker)),
      ),
    (all.busy > inHand.length || inHand.length === 0) &&
      h('p', { class: 'card calm' }, restOf(all, inHand.length, snapshot)),
  );
}

/** Only those that have something in hand are listed: of the others it is said how many there are. */
function restOf({ actual, busy }, listed, snapshot) {
  if (actual === 0)
    return snapshot.state === 'running'
      ? 'No node has workers: documents are accepted, and wait.'
      : `There are no workers: all processing is ${snapshot.state}.`;
  if (busy > listed)
    return `${counted(busy - listed, 'worker is', 'workers are')} busy on other nodes. What each has in hand is told by its own node only.`;
  return 'All workers are idle: nothing waits for them.';
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
