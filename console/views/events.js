/** Events in words, each with the way to what it is about. */
import { h } from '../core/dom.js';
import { timeOfDay } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';

const placeOf = ({ tenant_id, scope_id }) =>
  [tenant_id && nameOf(tenant_id), scope_id].filter(Boolean).join(' › ') || 'the service';

const parts = {
  document_id: (value) => value,
  version: (value) => (value > 1 ? `version ${value}` : null),
  contradiction_id: () => null,
  severity: (value) => value,
  document_ids: (value) => value.join(' and '),
  error: (value) => value,
  score: (value) => `score ${Math.round(value * 100)}`,
  reason: (value) => `“${value}”`,
  by: (value) => `by ${value}`,
  resolved_by: (value) => `by ${value}`,
  level: (value) => value,
  seq: () => null,
  trace_id: () => null,
  previous_state: (value) => `was ${value}`,
};

function wordsOf({ type, payload }) {
  if (type === 'gap' && payload.from)
    return `Nobody looked here from ${timeOfDay(payload.from)} on: what happened until then is not shown.`;
  if (type === 'gap')
    return `Events after ${payload.requested_after} up to ${payload.missing_up_to} are no longer kept.`;
  return Object.entries(payload)
    .map(([name, value]) =>
      name in parts ? parts[name](value) : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .filter(Boolean)
    .join(' · ');
}

/** Where to see more of it. */
function linkOf({ type, tenant_id, scope_id, payload }) {
  if (!tenant_id || !scope_id) return type.startsWith('runtime.') ? href(['now']) : null;
  if (payload.contradiction_id && !type.endsWith('retracted'))
    return href(['contradictions', tenant_id, scope_id, payload.contradiction_id]);
  if (payload.document_id && !type.endsWith('deleted'))
    return href(['documents', tenant_id, scope_id, payload.document_id], {
      state: 'any',
      tenant: tenant_id,
      scope: scope_id,
    });
  return type === 'scope.deleted' ? null : href(['scopes', tenant_id, scope_id]);
}

function toneOf(type) {
  if (/\.(failed|crashed)$/.test(type)) return 'bad';
  if (/\.(detected|reopened|paused|stopped|deleted|reset|revoked)$/.test(type) || type === 'gap') return 'warn';
  if (/\.(processed|resolved|converged|resumed|started)$/.test(type)) return 'good';
  return 'plain';
}

export function row(event) {
  const address = linkOf(event);
  return h(
    address ? 'a' : 'div',
    { class: `row event ${toneOf(event.type)}`, href: address, tabindex: address ? null : 0 },
    h('time', { datetime: event.ts, title: event.ts }, timeOfDay(event.ts)),
    h('span', { class: 'type' }, event.type),
    h('span', { class: 'place' }, placeOf(event)),
    h('span', { class: 'what' }, wordsOf(event)),
  );
}
