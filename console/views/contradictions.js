/** Contradictions: which scopes have some, and those of one scope, one after the other, to be decided. */
import { h, patch } from '../core/dom.js';
import { count } from '../core/format.js';
import { nameOf, tenants } from '../core/names.js';
import { disputed as disputedOf } from '../core/needs.js';
import { poll } from '../core/poll.js';
import { go, href } from '../core/router.js';
import { partRead, readScopes } from '../core/scopes.js';
import { seesInternals } from '../core/session.js';
import { chip } from '../parts/chips.js';
import { tenantField } from '../parts/fields.js';
import { listOrOne } from '../parts/list-or-one.js';
import { empty, failing, loading } from '../parts/states.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { openDeck } from './deck.js';

const EVERY_MS = 10_000;

function openOverview(root, first, signal) {
  let { tenant } = first.query;
  let found = null;
  let problem = null;
  const keyOf = ({ tenant_id, scope_id }) => `${tenant_id}/${scope_id}`;
  const list = new VirtualList(
    { label: 'Scopes with contradictions', rowHeight: heights(64, 92), keyOf, draw: row },
    signal,
  );

  const draw = () => {
    const needsTenant = !seesInternals() && !tenant;
    const disputed = disputedOf(found?.scopes ?? []);
    list.set(disputed);
    patch(
      root,
      h('h1', { tabindex: -1 }, 'Contradictions'),
      h(
        'p',
        { class: 'muted' },
        'Where two documents cannot both be right, somebody says which one holds. Choose a scope to begin.',
      ),
      h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Of whom', onsubmit: (event) => event.preventDefault() },
        tenantField({
          value: tenant,
          onChange: (value) => go(['contradictions'], { tenant: value }),
          all: seesInternals() ? 'All tenants' : 'Choose a tenant',
        }),
      ),
      needsTenant &&
        empty(
          'Choose a tenant',
          'An admin key sees the scopes of one tenant at a time; an internals key sees all of them.',
        ),
      !needsTenant && problem && !found && failing(problem, refresh),
      !needsTenant && !problem && !found && loading(5),
      found &&
        disputed.length === 0 &&
        (found.isMore
          ? empty('Nothing is disputed in the scopes that were looked at', 'In the others there may be something.')
          : empty('Nothing is disputed', 'All that documents say of the same things agrees, or was decided.')),
      disputed.length > 0 && h('div', { class: 'card list' }, list.element),
      found?.isMore && h('p', { class: 'muted' }, partRead(found, tenant)),
    );
  };

  const refresh = poll(
    async () => {
      if (!seesInternals() && !tenant) return;
      const asked = tenant;
      try {
        const answer = await readScopes(asked, signal);
        if (asked !== tenant) return setTimeout(() => refresh());
        [found, problem] = [answer, null];
      } catch (error) {
        problem = error;
      }
      if (!signal.aborted) draw();
    },
    EVERY_MS,
    signal,
  );
  tenants.watch(draw, signal);
  return {
    update({ query }) {
      if (query.tenant !== tenant) found = null;
      tenant = query.tenant;
      draw();
      refresh();
    },
  };
}

function row({ tenant_id, scope_id, groups, blockers }) {
  const [first] = blockers;
  return h(
    'a',
    { class: 'row dispute', href: href(['contradictions', tenant_id, scope_id]) },
    h('span', { class: 'what' }, h('strong', {}, scope_id), h('small', {}, nameOf(tenant_id))),
    h('span', { class: 'number ink-bad' }, `${count(groups.disputed)} disputed`),
    chip(first.severity),
    h('span', { class: 'first' }, first.reason ?? first.subject ?? ''),
  );
}

export const contradictions = { title: 'Contradictions', open: listOrOne(openOverview, openDeck) };
