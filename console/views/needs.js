/** What needs somebody, on the first page that one sees: what has failed and what is contradicted, each with the way to it. */
import { h } from '../core/dom.js';
import { count, counted, since } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { readDisputed, readFailed } from '../core/needs.js';
import { poll } from '../core/poll.js';
import { href } from '../core/router.js';
import { seesInternals } from '../core/session.js';
import { icon } from '../parts/icons.js';

const EVERY_MS = 10_000;
/** Up to a thousand scopes are read for it. */
const DISPUTED_EVERY_MS = 30_000;

/** What is known so far, which is read anew for as long as the signal lasts; `onChange` is told when it was. */
export function watchNeeds(onChange, signal) {
  const needs = { failed: null, disputed: null };
  const read = (name, ask) => async () => {
    needs[name] = await ask(signal);
    onChange();
  };
  poll(read('failed', readFailed), EVERY_MS, signal);
  if (seesInternals()) poll(read('disputed', readDisputed), DISPUTED_EVERY_MS, signal);
  return needs;
}

export const needsSection = ({ failed, disputed }) =>
  h(
    'section',
    { 'aria-labelledby': 'needs-title' },
    h('h2', { id: 'needs-title' }, 'Needs somebody'),
    h('ul', { class: 'needs' }, failedCard(failed), disputedCard(disputed)),
  );

const card = ({ key, kind, sign, title, text, link }) =>
  h(
    'li',
    { key },
    h(
      'a',
      { class: `card need ${kind}`, href: link },
      icon(sign),
      h('span', {}, h('strong', {}, title), h('small', {}, text)),
      icon('next'),
    ),
  );

function failedCard(failed) {
  const base = { key: 'failed', sign: 'documents', link: href(['documents']) };
  if (!failed) return card({ ...base, kind: 'plain', title: 'Documents that failed', text: 'Looking…' });
  if (failed.n === 0)
    return card({ ...base, kind: 'good', title: 'No document has failed', text: 'All that came were read, or wait.' });
  const { tenant_id, error, finished_at } = failed.first;
  const many = failed.isMore ? `${count(failed.n)} documents or more` : counted(failed.n, 'document');
  return card({
    ...base,
    kind: 'bad',
    title: `${many} failed`,
    text: [`${nameOf(tenant_id)}, `, since(finished_at), `: ${error ?? 'no reason was given'}`],
  });
}

function disputedCard(disputed) {
  const base = { key: 'disputed', sign: 'contradictions', link: href(['contradictions']) };
  if (!seesInternals())
    return card({ ...base, kind: 'plain', title: 'Contradictions', text: 'Choose a tenant to see them.' });
  if (!disputed) return card({ ...base, kind: 'plain', title: 'Contradictions', text: 'Looking…' });
  const [first] = disputed.scopes;
  const inWhat = disputed.isMore ? ' in the scopes that were looked at' : '';
  if (!first)
    return card({
      ...base,
      kind: 'good',
      title: `Nothing is disputed${inWhat}`,
      text: 'Documents agree, or it was decided.',
    });
  const n = disputed.scopes.reduce((all, { groups }) => all + groups.disputed, 0);
  const { tenant_id, scope_id, blockers } = first;
  return card({
    ...base,
    kind: 'warn',
    title: `${counted(n, 'fact is', 'facts are')} disputed in ${counted(disputed.scopes.length, 'scope')}${inWhat}`,
    text: `${nameOf(tenant_id)} › ${scope_id}: ${blockers[0].reason ?? blockers[0].subject ?? 'two documents disagree'}`,
  });
}
