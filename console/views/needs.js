/** What needs somebody, on the first page that one sees: what has failed and what is contradicted, each with the way to it. */
import { h } from '../core/dom.js';
import { count, counted, since, timeOfDay } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { readDisputed, readFailed } from '../core/needs.js';
import { poll } from '../core/poll.js';
import { href } from '../core/router.js';
import { seesInternals } from '../core/session.js';
import { icon } from '../parts/icons.js';
import { whyStale } from '../parts/stale.js';

const EVERY_MS = 10_000;
/** Up to a thousand scopes are read for it. */
const DISPUTED_EVERY_MS = 30_000;

const unknown = { value: null, at: null, problem: null };

/**
 * What is known so far, of the moment `at`, which is read anew for as long as the signal lasts; `problem` is why it could not be read
 * since. `onChange` is told of both.
 */
export function watchNeeds(onChange, signal) {
  const needs = { failed: unknown, disputed: unknown };
  const read = (name, ask) => async () => {
    try {
      needs[name] = { value: await ask(signal), at: Date.now(), problem: null };
    } catch (problem) {
      needs[name] = { ...needs[name], problem };
    }
    if (!signal.aborted) onChange();
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

/** What is old says so, and is no good news; what was never read is none at all. */
function known(base, found, title, draw) {
  const { value, at, problem } = found;
  if (!value && problem)
    return card({ ...base, kind: 'warn', title, text: `It is not known whether there are any. ${whyStale(problem)}` });
  if (!value) return card({ ...base, kind: 'plain', title, text: 'Looking…' });
  const drawn = { ...base, ...draw(value) };
  if (!problem) return card(drawn);
  return card({
    ...drawn,
    kind: drawn.kind === 'good' ? 'plain' : drawn.kind,
    title: `${drawn.title}, as of ${timeOfDay(at)}`,
    text: `It could not be read since. ${whyStale(problem)}`,
  });
}

const failedCard = (failed) =>
  known({ key: 'failed', sign: 'documents', link: href(['documents']) }, failed, 'Documents that failed', failedWords);

function failedWords({ n, isMore, first }) {
  if (n === 0) return { kind: 'good', title: 'No document has failed', text: 'All that came were read, or wait.' };
  const { tenant_id, error, finished_at } = first;
  const many = isMore ? `${count(n)} documents or more` : counted(n, 'document');
  return {
    kind: 'bad',
    title: `${many} failed`,
    text: [`${nameOf(tenant_id)}, `, since(finished_at), `: ${error ?? 'no reason was given'}`],
  };
}

function disputedCard(disputed) {
  const base = { key: 'disputed', sign: 'contradictions', link: href(['contradictions']) };
  if (!seesInternals())
    return card({ ...base, kind: 'plain', title: 'Contradictions', text: 'Choose a tenant to see them.' });
  return known(base, disputed, 'Contradictions', disputedWords);
}

function disputedWords({ scopes, isMore }) {
  const [first] = scopes;
  const inWhat = isMore ? ' in the scopes that were looked at' : '';
  if (!first)
    return {
      kind: isMore ? 'plain' : 'good',
      title: `Nothing is disputed${inWhat}`,
      text: 'Documents agree, or it was decided.',
    };
  const n = scopes.reduce((all, { groups }) => all + groups.disputed, 0);
  const { tenant_id, scope_id, blockers } = first;
  return {
    kind: 'warn',
    title: `${counted(n, 'fact is', 'facts are')} disputed in ${counted(scopes.length, 'scope')}${inWhat}`,
    text: `${nameOf(tenant_id)} › ${scope_id}: ${blockers[0].reason ?? blockers[0].subject ?? 'two documents disagree'}`,
  };
}
