/** The evidence of a fact: which document says what of it, in which sentence. */
import { get, part, scopePath } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { count } from '../core/format.js';
import { href } from '../core/router.js';
import { chip } from '../parts/chips.js';
import { icon } from '../parts/icons.js';
import { Pages } from '../parts/pages.js';
import { Panel } from '../parts/panel.js';
import { failing, loading } from '../parts/states.js';
import { valueText } from './values.js';

const PAGE = 50;

export class EvidencePanel {
  #panel = new Panel('The evidence');
  element = this.#panel.element;
  #scope;
  #pages = null;
  #shown = '';

  constructor(tenantId, scopeId) {
    this.#scope = [tenantId, scopeId];
  }

  hide() {
    this.#pages?.close();
    if (this.#shown) this.#panel.close();
    this.#shown = '';
  }

  show(factId, back) {
    if (this.#shown === factId) return this.#panel.backTo(back);
    this.#pages?.close();
    this.#shown = factId;
    this.#panel.open(back);
    let fact = null;
    const path = `${scopePath(...this.#scope)}/facts/${part(factId)}`;
    const pages = new Pages(
      async (cursor, signal) => {
        fact = await get(path, { limit: PAGE, cursor }, { signal });
        return { items: fact.evidence, next: fact.next_cursor };
      },
      () => pages === this.#pages && patch(this.element, this.#head(fact), this.#content(fact, pages)),
    );
    this.#pages = pages;
    patch(this.element, this.#head(null), loading(5));
    pages.more();
  }

  #head(fact) {
    return this.#panel.head(fact ? `${fact.subject ?? 'unnamed'}: ${fact.attribute}` : 'Evidence');
  }

  #content(fact, pages) {
    if (!fact) return pages.problem ? failing(pages.problem, () => pages.again()) : loading(5);
    const [tenantId, scopeId] = this.#scope;
    /** @type {Map<string, any[]>} */
    const groups = Map.groupBy(pages.items, valueText);
    return h(
      'div',
      {},
      h(
        'p',
        { class: 'line' },
        chip(fact.state),
        h('span', { class: 'muted' }, `${count(fact.documents)} documents speak of it`),
      ),
      fact.contradictions.length > 0 &&
        h(
          'p',
          {},
          h(
            'a',
            { class: 'button', href: href(['contradictions', tenantId, scopeId, fact.contradictions[0]]) },
            icon('contradictions'),
            'Decide the contradiction',
          ),
        ),
      [...groups].map(([value, list]) =>
        h(
          'section',
          { key: value },
          h('h3', {}, value),
          h(
            'ul',
            { class: 'evidence' },
            list.map(({ document_id, sentence }, n) =>
              h(
                'li',
                { key: `${document_id} ${n}` },
                h('q', {}, sentence),
                h(
                  'a',
                  {
                    href: href(['documents', tenantId, scopeId, document_id], {
                      state: 'any',
                      tenant: tenantId,
                      scope: scopeId,
                    }),
                  },
                  document_id,
                ),
              ),
            ),
          ),
        ),
      ),
      !pages.isDone &&
        h('button', { type: 'button', disabled: pages.isLoading, onclick: () => pages.again() }, 'Show more'),
    );
  }
}
