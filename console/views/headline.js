/** The state of the service in a sentence: the first that is wrong, or that all is well. */
import { h } from '../core/dom.js';
import { counted, timeOfDay } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { whyStale } from '../parts/stale.js';
import { loading } from '../parts/states.js';

const checks = { postgres: 'Postgres', queue: 'The queue', events: 'The event log', workers: 'The workers' };

/** What is wrong, the worst first: `{ kind, text, detail }`. */
export function troubles({ plane, accepts, at, problem }, held) {
  const { levels } = held;
  const found = [];
  const bad = (text, detail) => found.push({ kind: 'bad', text, detail });
  const warn = (text, detail) => found.push({ kind: 'warn', text, detail });
  if (problem) bad('Nothing is known of the service right now.', unknownSince(at, problem));
  else if (held.problem) bad('What is paused is not known right now.', unknownSince(held.at, held.problem));
  if (accepts?.status === 'unavailable') bad('Documents cannot be accepted.', accepts.detail);
  for (const [name, title] of Object.entries(checks)) {
    const check = plane?.checks[name];
    if (check?.status === 'down')
      bad(`${title} ${name === 'workers' ? 'make no progress' : 'does not work'}.`, check.detail);
  }
  const lost = plane?.nodes.filter(({ state }) => state === 'lost') ?? [];
  if (lost.length > 0)
    warn(
      `${counted(lost.length, 'node')} ${lost.length === 1 ? 'has' : 'have'} gone silent.`,
      lost.map(({ node_id }) => node_id).join(', '),
    );
  const workers = plane?.nodes.reduce((n, node) => n + (node.state === 'up' ? node.workers.target : 0), 0);
  // A runtime that is held has none on purpose.
  if (workers === 0 && plane.runtime === 'running') warn('No node has workers.', 'Documents are accepted, and wait.');
  for (const level of levels ?? [])
    if (level.level === 'runtime') warn(`All processing is ${level.state}.`, level.reason);
  const parts = (levels ?? []).filter(({ level }) => level !== 'runtime');
  if (parts.length > 0) warn(...ofParts(parts));
  return found;
}

const unknownSince = (at, problem) =>
  [at !== null && `What is shown is as of ${timeOfDay(at)}.`, whyStale(problem)].filter(Boolean).join(' ');

/** By name, as far as a line goes; all of them, with their reasons, are in the table below it. */
function ofParts(parts) {
  const [first, second] = parts;
  if (!second) return [`${partName(first)} is ${first.state}.`, first.reason];
  const others = parts.length === 2 ? partName(second) : counted(parts.length - 1, 'other');
  return [`${partName(first)} and ${others} are paused or stopped.`, null];
}

const partName = ({ level, tenant_id, scope_id }) =>
  level === 'tenant' ? nameOf(tenant_id) : `${nameOf(tenant_id)} › ${scope_id}`;

export function headline(health, held) {
  const found = troubles(health, held);
  // That all is well is said when all of it is known.
  if (found.length === 0 && (!health.plane || !held.levels)) return loading(1);
  const up = health.plane?.nodes.filter(({ state }) => state === 'up').length ?? 0;
  if (found.length === 0)
    return h(
      'div',
      { class: 'headline good', role: 'status' },
      h('p', { class: 'lead' }, 'Everything runs.'),
      h('p', {}, `${counted(up, 'node')} up; nothing is paused.`),
    );
  return h(
    'div',
    { class: `headline ${found[0].kind}`, role: 'status' },
    h('p', { class: 'lead' }, found[0].text),
    found[0].detail && h('p', {}, found[0].detail),
    found.length > 1 &&
      h(
        'ul',
        {},
        found.slice(1).map(({ text, detail }) => h('li', {}, text, detail && ` ${detail}`)),
      ),
  );
}
