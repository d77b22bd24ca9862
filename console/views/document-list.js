/** What the list of documents is made of: its filter, what it found in a line, and its rows. */
import { h } from '../core/dom.js';
import { count, moment, since } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { href } from '../core/router.js';
import { mayChange } from '../core/session.js';
import { chip, wordFor } from '../parts/chips.js';
import { selectField, tenantField, textField } from '../parts/fields.js';
import { icon } from '../parts/icons.js';
import { empty, failing, loading } from '../parts/states.js';
import { reasons } from './reasons.js';
import { retryAll } from './retry.js';

const STATES = ['failed', 'queued', 'processing', 'processed', 'pending', 'superseded'];

/** The route takes no more. */
const MAX_NAMED = 200;
const HOUR_MS = 3_600_000;
const AGES = [
  [String(HOUR_MS), 'an hour'],
  [String(24 * HOUR_MS), 'a day'],
  [String(7 * 24 * HOUR_MS), 'a week'],
];

/** The filter as the routes take it. */
export function filterOf(query) {
  const { tenant, scope, error, before, document } = query;
  const state = stateOf(query);
  return {
    ...(state !== 'any' && { state }),
    ...(tenant && { tenant_id: tenant }),
    ...(tenant && scope && { scope_id: scope }),
    ...(error && (state === 'failed' || state === 'any') && { error }),
    ...(before && { older_than: before }),
    ...(document && { document_id: document }),
  };
}

/** What has failed, unless somebody says so, or looks for one document, whatever became of it. */
const stateOf = ({ state, document }) => state || (document ? 'any' : 'failed');

/** Retried by what it is: of those of one id each is named, since the filter of a retry knows no ids. */
const retryFilterOf = (query, items) =>
  query.document
    ? {
        ids: items
          .slice(0, MAX_NAMED)
          .map(({ tenant_id, scope_id, document_id }) => ({ tenant_id, scope_id, document_id })),
      }
    : filterOf(query);

export function filters(query, change) {
  const { tenant, scope, error, before = '', document } = query;
  const state = stateOf(query);
  return h(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Which documents', onsubmit: (event) => event.preventDefault() },
    textField({
      label: 'Document id',
      value: document,
      placeholder: 'its whole id',
      onChange: (id) => change({ document: id, state: '' }),
    }),
    selectField({
      label: 'State',
      value: state,
      options: [...STATES.map((one) => [one, wordFor(one)]), ['any', 'any']],
      onChange: (value) => change({ state: value }),
    }),
    tenantField({ value: tenant, onChange: (value) => change({ tenant: value, scope: '' }) }),
    tenant &&
      textField({
        label: 'Scope',
        value: scope,
        placeholder: 'all scopes',
        maxlength: 120,
        onChange: (value) => change({ scope: value }),
      }),
    (state === 'failed' || state === 'any') &&
      textField({
        label: 'Error begins with',
        value: error,
        placeholder: 'any error',
        maxlength: 500,
        onChange: (value) => change({ error: value }),
      }),
    ageField(before, change),
  );
}

/** The address has the moment: an age would mean other documents for who opens it later, or scrolls on. */
const ageField = (before, change) =>
  selectField({
    label: 'Older than',
    value: before,
    options: [['', 'any age'], ...AGES, ...(before ? [[before, whenOf(before)]] : [])],
    onChange: (value) =>
      change({ before: /^\d+$/.test(value) ? new Date(Date.now() - Number(value)).toISOString() : value }),
  });

/** Whatever somebody has written into the address. */
const whenOf = (text) => (Number.isNaN(Date.parse(text)) ? text : moment(text));

export function summary(pages, query, change, reload) {
  const { items, isDone, isLoading, problem } = pages;
  if (problem && items.length === 0) return failing(problem, reload);
  if (isLoading && items.length === 0) return loading(6);
  if (items.length === 0) return none(query);
  const isFailed = stateOf(query) === 'failed';
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'section-head' },
      h(
        'p',
        { class: 'muted', role: 'status' },
        isDone ? `${count(items.length)} found` : `The first ${count(items.length)}; more come as you scroll`,
      ),
      isFailed &&
        mayChange() &&
        h(
          'button',
          { type: 'button', onclick: () => retryAll(retryFilterOf(query, items), reload) },
          icon('retry'),
          'Retry all that match…',
        ),
    ),
    isFailed && !query.error && reasons(items, (error) => change({ error })),
  );
}

function none(query) {
  const { tenant, error, before, document } = query;
  if (document && stateOf(query) === 'any')
    return empty(
      'There is no document of that id',
      'It is looked for to the letter: an id that only begins so is another one.',
    );
  if (stateOf(query) === 'failed' && !tenant && !error && !before && !document)
    return empty('Nothing has failed', 'When a document fails for good, it is listed here with its error.');
  return empty(
    'No document fits',
    'Choose another state, or leave a part of the filter out.',
    h('p', {}, h('a', { href: href(['documents']) }, 'Show what has failed, of all tenants')),
  );
}

export function ending(pages, query) {
  if (pages.items.length === 0 && !pages.isPaused) return null;
  if (pages.problem) return failing(pages.problem, () => pages.again());
  if (pages.isPaused)
    return h(
      'p',
      { class: 'muted' },
      'Much was looked through and nothing more was found yet. ',
      h('button', { type: 'button', onclick: () => pages.again() }, 'Look on'),
    );
  if (pages.isFull)
    return h(
      'p',
      { class: 'muted' },
      `No more than ${count(pages.items.length)} are shown here${query.tenant ? '' : '; choose a tenant'}.`,
    );
  return pages.isLoading && h('p', { class: 'muted' }, 'Loading more…');
}

export function row(item, { parts, query }) {
  const { tenant_id, scope_id, document_id, name, state, error, attempts, finished_at, queued_at, accepted_at } = item;
  const isShown = parts[0] === tenant_id && parts[1] === scope_id && parts[2] === document_id;
  return h(
    'a',
    {
      class: 'row document',
      href: href(['documents', tenant_id, scope_id, document_id], query),
      'aria-current': isShown ? 'true' : null,
    },
    chip(state),
    h(
      'span',
      { class: 'what' },
      h('strong', {}, name),
      h('small', {}, `${nameOf(tenant_id)} › ${scope_id} › ${document_id}`),
    ),
    h('span', { class: 'why' }, error ?? ''),
    h(
      'span',
      { class: 'when' },
      since(finished_at ?? queued_at ?? accepted_at),
      attempts > 1 && h('small', {}, `${attempts} attempts`),
    ),
  );
}
