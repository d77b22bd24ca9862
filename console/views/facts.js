/** The facts of a scope as a sheet: what documents say of each thing, by how many, and where they disagree. */
import { get, scopePath } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { count } from '../core/format.js';
import { go, href } from '../core/router.js';
import { chip } from '../parts/chips.js';
import { choice, textField } from '../parts/fields.js';
import { Pages } from '../parts/pages.js';
import { empty, failing, loading } from '../parts/states.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { EvidencePanel } from './evidence.js';
import { qualified, valueText } from './values.js';

const PAGE = 100;

export class FactsSheet {
  element = h('section', { class: 'facts', 'aria-labelledby': 'facts-title' });
  #scope;
  #place = { parts: [], query: {} };
  #pages = null;
  #wanted = null;
  #list;
  #panel;

  constructor(tenantId, scopeId, signal) {
    this.#scope = [tenantId, scopeId];
    const draw = (fact) =>
      row(
        fact,
        href(['scopes', tenantId, scopeId], { ...this.#place.query, fact: fact.fact_id }),
        this.#place.query.fact,
      );
    this.#list = new VirtualList(
      {
        label: 'Facts',
        rowHeight: heights(60, 104),
        keyOf: ({ fact_id }) => fact_id,
        draw,
        onEnd: () => this.#pages?.more(),
      },
      signal,
    );
    this.#panel = new EvidencePanel(tenantId, scopeId);
    signal.addEventListener('abort', () => {
      this.#pages?.close();
      this.#panel.hide();
    });
  }

  show(place) {
    this.#place = place;
    const { state, q, alone, fact } = place.query;
    const wanted = JSON.stringify([state, q, alone]);
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#reload();
    }
    if (fact) this.#panel.show(fact, href(['scopes', ...this.#scope], { ...place.query, fact: '' }));
    else this.#panel.hide();
    this.#draw();
  }

  #reload() {
    this.#pages?.close();
    const { state, q, alone } = this.#place.query;
    const path = `${scopePath(...this.#scope)}/facts`;
    const pages = new Pages(
      async (cursor, signal) => {
        const query = { state, q, min_documents: alone === 'yes' ? 1 : 2, limit: PAGE, cursor };
        const { facts, next_cursor } = await get(path, query, { signal });
        return { items: facts, next: next_cursor };
      },
      () => pages === this.#pages && this.#draw(),
    );
    this.#pages = pages;
    pages.more();
  }

  #change(query) {
    go(['scopes', ...this.#scope], { ...this.#place.query, ...query }, { replace: 'q' in query });
  }

  #draw() {
    const { items, isLoading, isDone, problem } = this.#pages;
    const { state = '', q, alone = '', fact } = this.#place.query;
    this.#list.set(items);
    patch(
      this.element,
      h('h2', { id: 'facts-title' }, 'Facts'),
      h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Which facts', onsubmit: (event) => event.preventDefault() },
        choice({
          label: 'How they stand',
          value: state,
          options: [
            ['', 'all'],
            ['disputed', 'disputed'],
            ['varied', 'varied'],
            ['agreed', 'agreed'],
          ],
          onChange: (value) => this.#change({ state: value }),
        }),
        choice({
          label: 'Said by how many',
          value: alone,
          options: [
            ['', 'several documents'],
            ['yes', 'also by one'],
          ],
          onChange: (value) => this.#change({ alone: value }),
        }),
        textField({
          label: 'Words',
          value: q,
          placeholder: 'of the subject or what is said',
          onChange: (value) => this.#change({ q: value }),
        }),
      ),
      h(
        'div',
        { class: fact ? 'split is-open' : 'split' },
        h(
          'div',
          { class: 'list' },
          problem && failing(problem, () => this.#reload()),
          isLoading && items.length === 0 && loading(5),
          isDone &&
            items.length === 0 &&
            empty(
              'No fact fits',
              q || state ? 'Leave a part of the filter out.' : 'Facts are what two or more documents speak of.',
            ),
          items.length > 0 && h('div', { class: 'card' }, this.#list.element),
        ),
        fact && this.#panel.element,
      ),
    );
  }
}

function row(fact, address, current) {
  const { subject, attribute, qualifiers, state, documents, values, more_values } = fact;
  const shown = values.slice(0, 3);
  const isMore = more_values || values.length > shown.length;
  return h(
    'a',
    { class: 'row fact', href: address, 'aria-current': current === fact.fact_id ? 'true' : null },
    h(
      'span',
      { class: 'what' },
      h('strong', {}, subject ?? 'unnamed'),
      h('small', {}, [attribute, qualified(qualifiers)].filter(Boolean).join(' · ')),
    ),
    h(
      'span',
      { class: 'values' },
      shown.map((one, n) =>
        h(
          'span',
          { class: 'value', key: n },
          valueText(one),
          values.length > 1 && h('small', {}, `×${count(one.documents)}`),
        ),
      ),
      isMore && h('small', {}, 'and others'),
    ),
    h('span', { class: 'when' }, count(documents), h('small', {}, documents === 1 ? 'document' : 'documents')),
    chip(state),
  );
}
