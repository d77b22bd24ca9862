/** Everything that is paused or stopped, with who, when and why, and the buttons that let it go on. */
import { send } from '../core/api.js';
import { h } from '../core/dom.js';
import { actor, count, counted, duration, since } from '../core/format.js';
import { refreshHeld } from '../core/held.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';
import { mayChange } from '../core/session.js';
import { chip } from '../parts/chips.js';
import { ask } from '../parts/dialog.js';
import { icon } from '../parts/icons.js';
import { stale } from '../parts/stale.js';
import { failing, loading } from '../parts/states.js';
import { toast } from '../parts/toast.js';
import { addressed, holdButtons } from './hold.js';

export function heldSection(held) {
  const { levels, isMore } = held;
  return h(
    'section',
    { 'aria-labelledby': 'held-title' },
    h(
      'div',
      { class: 'section-head' },
      h('h2', { id: 'held-title' }, 'Paused or stopped'),
      mayChange() && holdButtons(),
    ),
    stale(held),
    content(held),
    isMore && h('p', { class: 'muted' }, `Only the first ${count(levels.length)} are shown.`),
  );
}

/** That nothing is held is said only while it is known. */
function content({ levels, problem }) {
  if (levels === null) return problem ? failing(problem, () => refreshHeld()) : loading(1);
  if (levels.length > 0) return table(levels);
  return h(
    'p',
    { class: 'card calm' },
    problem ? 'Nothing was, at that time.' : 'Nothing is. Documents are processed as they come.',
  );
}

const table = (levels) =>
  h(
    'div',
    { class: 'card scroll' },
    h(
      'table',
      { class: 'stacked' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['What', 'State', 'Why', 'By', 'Since', 'Holds back'].map((title) => h('th', { scope: 'col' }, title)),
          mayChange() && h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Action')),
        ),
      ),
      h('tbody', {}, levels.map(row)),
    ),
  );

const titleOf = ({ level, tenant_id, scope_id }) =>
  level === 'runtime' ? 'Everything' : level === 'tenant' ? nameOf(tenant_id) : `${nameOf(tenant_id)} › ${scope_id}`;

function row(level) {
  const { tenant_id, scope_id, state, set_by, set_at, reason, holds } = level;
  const waits = holds.documents > 0 && tenant_id;
  return h(
    'tr',
    { key: `${tenant_id} ${scope_id}` },
    h('th', { scope: 'row' }, titleOf(level), tenant_id && h('small', { class: 'id' }, tenant_id)),
    h('td', { 'data-title': 'State' }, chip(state)),
    h('td', { 'data-title': 'Why', class: 'words' }, reason ?? h('span', { class: 'muted' }, 'no reason was given')),
    h(
      'td',
      { 'data-title': 'By' },
      actor(set_by),
      set_by?.label && set_by.key_prefix && h('small', { class: 'id' }, set_by.key_prefix),
    ),
    h('td', { 'data-title': 'Since' }, since(set_at)),
    h(
      'td',
      { 'data-title': 'Holds back' },
      waits
        ? h(
            'a',
            { href: href(['documents'], { state: 'queued', tenant: tenant_id, scope: scope_id }) },
            counted(holds.documents, 'document'),
          )
        : counted(holds.documents, 'document'),
      holds.oldest_age_ms !== null && h('small', { class: 'muted' }, `the oldest for ${duration(holds.oldest_age_ms)}`),
    ),
    mayChange() &&
      h(
        'td',
        { class: 'act' },
        h(
          'button',
          { type: 'button', onclick: () => letGo(level) },
          icon('play'),
          state === 'paused' ? 'Resume' : 'Start',
        ),
      ),
  );
}

/** What a stopped level needs is `start`; `resume` is refused there. */
async function letGo(level) {
  const { tenant_id, scope_id, state, holds } = level;
  const verb = state === 'paused' ? 'resume' : 'start';
  const done = await ask({
    title: `${state === 'paused' ? 'Resume' : 'Start'} ${titleOf(level)}?`,
    text:
      holds.documents > 0
        ? `${counted(holds.documents, 'document')} that wait will be processed.`
        : 'Nothing waits there at the moment.',
    confirm: state === 'paused' ? 'Resume' : 'Start',
    act: () => send('POST', `/admin/runtime/${verb}`, addressed(tenant_id, scope_id)),
  });
  if (!done) return;
  toast(`${titleOf(level)} runs again.`);
  refreshHeld();
}
