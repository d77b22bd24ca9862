/** The life of one document: why it failed, when it came, waited and was taken, and its versions. */
import { get, part, scopePath } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { nameOf } from '../core/names.js';
import { poll } from '../core/poll.js';
import { href } from '../core/router.js';
import { mayChange } from '../core/session.js';
import { chip } from '../parts/chips.js';
import { icon } from '../parts/icons.js';
import { Panel } from '../parts/panel.js';
import { failing, loading } from '../parts/states.js';
import { facts, timeline, versions } from './life.js';
import { retryOne } from './retry.js';

const EVERY_MS = 3000;

export class DocumentPanel {
  #panel = new Panel('The document');
  element = this.#panel.element;
  #onChange;
  #stop = new AbortController();
  #shown = '';
  #text = null;

  constructor(onChange) {
    this.#onChange = onChange;
  }

  hide() {
    this.#stop.abort();
    if (this.#shown) this.#panel.close();
    this.#shown = '';
  }

  show([tenantId, scopeId, documentId], back) {
    const path = `${scopePath(tenantId, scopeId)}/documents/${part(documentId)}`;
    if (this.#shown === path) return this.#panel.backTo(back);
    this.#stop.abort();
    this.#shown = path;
    this.#panel.open(back);
    this.#text = null;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const key = { tenant_id: tenantId, scope_id: scopeId, document_id: documentId };
    const top = (title) => this.#panel.head(title);
    patch(this.element, top(documentId), loading(5));
    const read = async () => {
      try {
        const life = await get(path, {}, { signal });
        if (signal.aborted) return;
        const draw = () =>
          patch(
            this.element,
            top(life.name),
            this.#life(life, key, refresh, () => readText()),
          );
        const readText = async () => {
          const text = await get(`${path}/text`, {}, { signal }).catch((problem) => problem);
          // Another document stands there by now.
          if (signal.aborted) return;
          this.#text = text;
          draw();
        };
        draw();
      } catch (problem) {
        if (!signal.aborted) patch(this.element, top(documentId), failing(problem, read));
      }
    };
    const refresh = poll(read, EVERY_MS, signal);
  }

  #life(life, key, refresh, readText) {
    const { tenant_id, scope_id } = key;
    const retry = () =>
      retryOne(key, life.name, () => {
        refresh();
        this.#onChange();
      });
    return h(
      'div',
      {},
      h(
        'p',
        { class: 'line' },
        chip(life.state),
        h('a', { href: href(['scopes', tenant_id, scope_id]) }, `${nameOf(tenant_id)} › ${scope_id}`),
      ),
      life.error &&
        h(
          'div',
          { class: 'callout bad' },
          h('h3', {}, life.state === 'failed' ? 'Why it failed' : 'Why the last attempt failed'),
          h('p', { class: 'words' }, life.error),
        ),
      life.state === 'failed' &&
        mayChange() &&
        h('p', {}, h('button', { type: 'button', class: 'primary', onclick: retry }, icon('retry'), 'Retry')),
      life.warnings.length > 0 &&
        h(
          'div',
          { class: 'callout warn' },
          h('h3', {}, 'How it was read'),
          h(
            'ul',
            {},
            life.warnings.map((warning) => h('li', {}, warning)),
          ),
        ),
      h('h3', {}, 'Its life'),
      timeline(life),
      h('h3', {}, 'What it is'),
      facts(life, key),
      life.versions.length > 1 && versions(life.versions),
      this.#textPart(readText),
    );
  }

  #textPart(readText) {
    if (this.#text === null)
      return h(
        'p',
        {},
        h('button', { type: 'button', onclick: readText }, 'Show its text'),
        h('small', { class: 'muted' }, ' Reading it is noted in the audit log.'),
      );
    if (this.#text instanceof Error) return failing(this.#text, readText);
    return h(
      'div',
      {},
      h('h3', {}, 'Its text'),
      h(
        'pre',
        { class: 'text', tabindex: 0, 'aria-label': 'The text of the document' },
        this.#text.text ?? 'It has none.',
      ),
    );
  }
}
