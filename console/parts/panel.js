/** What is open beside a list: whoever opens it is led into it, and back to where they were when it closes. */
import { h, kept } from '../core/dom.js';
import { icon } from './icons.js';

export class Panel {
  element;
  #opener = null;
  #back = '';

  constructor(label) {
    this.element = kept(h('aside', { class: 'panel card', 'aria-label': label, tabindex: -1 }));
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) location.hash = this.#back;
    });
  }

  /** The address without it, which changes with the filter of the list while it is open. */
  backTo(address) {
    this.#back = address;
    this.element.querySelector('.panel-head a')?.setAttribute('href', address);
  }

  head(title) {
    const close = h('a', { class: 'button quiet', href: this.#back, 'aria-label': 'Close' }, icon('close'));
    return h('div', { class: 'panel-head' }, h('h2', {}, title), close);
  }

  /** From one row to the next it stays open, and the way back is to the last one. */
  open(back) {
    this.backTo(back);
    const before = document.activeElement;
    if (!this.element.contains(before)) this.#opener = before;
    // When it has its place on the page.
    requestAnimationFrame(() => this.element.isConnected && this.element.focus({ preventScroll: true }));
  }

  close() {
    const opener = this.#opener;
    this.#opener = null;
    if (opener && opener !== document.body)
      requestAnimationFrame(() => opener.isConnected && opener.focus({ preventScroll: true }));
  }
}
