/** A list of which only those rows are on the page that can be seen: a thousand scroll as smoothly as ten. */
import { h, kept, patch } from '../core/dom.js';

/** Rows above and below what is seen, so that scrolling shows no hole. */
const SPARE = 8;

export class VirtualList {
  element;
  #rows = h('ul', { class: 'rows' });
  #items = [];
  #options;
  #frame = 0;

  /**
   * `rowHeight()` in pixels, the same for all rows; `keyOf(item)`; `draw(item)` gives what is in a row; `onEnd` is called when
   * the last rows are in sight. The list scrolls with the page's main part.
   */
  constructor(options, signal) {
    this.#options = options;
    this.element = kept(h('div', { class: 'virtual' }, this.#rows));
    this.#rows.setAttribute('aria-label', options.label);
    this.#rows.addEventListener('keydown', (event) => this.#move(event));
    const scroller = document.getElementById('main');
    scroller.addEventListener('scroll', () => this.#soon(), { signal, passive: true });
    const resized = new ResizeObserver(() => this.#soon());
    resized.observe(scroller);
    signal.addEventListener('abort', () => resized.disconnect());
  }

  set(items) {
    this.#items = items;
    this.#drawNow();
    // Once more when it has its place on the page.
    this.#soon();
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { rowHeight, keyOf, draw, onEnd } = this.#options;
    const height = rowHeight();
    const total = this.#items.length;
    const scroller = document.getElementById('main');
    const above = scroller.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    const first = Math.max(0, Math.min(Math.floor(above / height) - SPARE, total));
    const last = Math.min(total, Math.ceil((above + scroller.clientHeight) / height) + SPARE);
    this.element.style.height = `${total * height}px`;
    this.#rows.style.transform = `translateY(${first * height}px)`;
    const shown = this.#items.slice(first, Math.max(first, last));
    patch(
      this.#rows,
      shown.map((item, n) =>
        h(
          'li',
          {
            key: keyOf(item),
            'data-at': first + n,
            'aria-setsize': total,
            'aria-posinset': first + n + 1,
            vars: { '--row': `${height}px` },
          },
          draw(item),
        ),
      ),
    );
    if (last >= total - SPARE) onEnd?.();
  }

  /** Arrows go from row to row, also to those that are not on the page yet. */
  #move(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    const row = event.target.closest('[data-at]');
    if (step === undefined || !row || event.target.matches('input, select, textarea')) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(this.#items.length - 1, Number(row.dataset.at) + step));
    this.focus(at);
  }

  focus(at) {
    const scroller = document.getElementById('main');
    const height = this.#options.rowHeight();
    const top = this.element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + at * height;
    if (top < 0 || top + height > scroller.clientHeight) scroller.scrollBy({ top: top - scroller.clientHeight / 2 });
    this.#drawNow();
    this.#rows.querySelector(`[data-at="${at}"] a, [data-at="${at}"] button`)?.focus({ preventScroll: true });
  }
}

const narrow = matchMedia('(max-width: 719px)');
/** Rows are taller where their parts stand below each other. */
export const heights = (wide, tall) => () => (narrow.matches ? tall : wide);
