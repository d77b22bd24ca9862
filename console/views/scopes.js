/** Scopes: those first whose documents agree least, with how that has gone. One of them with its facts is a view of its own. */
import { h, patch } from '../core/dom.js';
import { tenants } from '../core/names.js';
import { poll } from '../core/poll.js';
import { go } from '../core/router.js';
import { partRead, readScopes } from '../core/scopes.js';
import { seesInternals } from '../core/session.js';
import { selectField, tenantField, textField } from '../parts/fields.js';
import { listOrOne } from '../parts/list-or-one.js';
import { empty, failing, loading } from '../parts/states.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { openScope } from './scope.js';
import { fits, heads, ORDERS, orderOf, row, statuses } from './scope-list.js';

const EVERY_MS = 10_000;

function openList(root, first, signal) {
  let { query } = first;
  let found = null;
  let problem = null;
  const keyOf = ({ tenant_id, scope_id }) => `${tenant_id}/${scope_id}`;
  const list = new VirtualList({ label: 'Scopes', rowHeight: heights(60, 88), keyOf, draw: row }, signal);
  const change = (more) => go(['scopes'], { ...query, ...more }, { replace: 'q' in more });

  const draw = () => {
    const needsTenant = !seesInternals() && !query.tenant;
    const shown = (found?.scopes ?? []).filter((scope) => fits(scope, query)).sort(orderOf(query.order));
    list.set(shown);
    patch(
      root,
      h('h1', { tabindex: -1 }, 'Scopes'),
      h(
        'p',
        { class: 'muted' },
        'A scope holds documents that speak of the same things. Its score says how far they agree.',
      ),
      h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Which scopes', onsubmit: (event) => event.preventDefault() },
        tenantField({
          value: query.tenant,
          onChange: (tenant) => change({ tenant }),
          all: seesInternals() ? 'All tenants' : 'Choose a tenant',
        }),
        textField({
          label: 'Scope',
          value: query.q,
          placeholder: 'part of its id',
          maxlength: 120,
          onChange: (q) => change({ q }),
        }),
        selectField({
          label: 'Order',
          value: query.order ?? '',
          options: Object.entries(ORDERS).map(([key, { words }]) => [key, words]),
          onChange: (order) => change({ order }),
        }),
      ),
      found && statuses(found, query, change),
      needsTenant &&
        empty(
          'Choose a tenant',
          'An admin key sees the scopes of one tenant at a time; an internals key sees all of them.',
        ),
      !needsTenant && problem && !found && failing(problem, refresh),
      !needsTenant && !problem && !found && loading(6),
      found &&
        shown.length === 0 &&
        empty(
          found.isMore ? 'None of those that were looked at fits' : 'No scope fits',
          found.scopes.length === 0 ? 'A scope is made by its first document.' : 'Leave a part of the filter out.',
        ),
      shown.length > 0 && h('div', { class: 'card list' }, heads(), list.element),
      found?.isMore && h('p', { class: 'muted' }, partRead(found, query.tenant)),
    );
  };

  const read = async () => {
    if (!seesInternals() && !query.tenant) return;
    const asked = query.tenant;
    try {
      const answer = await readScopes(asked, signal);
      if (asked !== query.tenant) return;
      [found, problem] = [answer, null];
    } catch (error) {
      problem = error;
    }
    if (!signal.aborted) draw();
  };
  const refresh = poll(read, EVERY_MS, signal);
  tenants.watch(draw, signal);
  return {
    update(place) {
      const isOther = place.query.tenant !== query.tenant;
      query = place.query;
      if (isOther) {
        found = null;
        read();
      }
      draw();
    },
  };
}

export const scopes = { title: 'Scopes', open: listOrOne(openList, openScope) };
