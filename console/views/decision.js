/** The bar below a contradiction: uphold a or b, defer, go on. Each has a key, and a decision asks once for its reason. */
import { part, send } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { mayChange } from '../core/session.js';
import { toast } from '../parts/toast.js';

const NAME = 'docket-decided-by';
const titles = { a: 'A holds', b: 'B holds', defer: 'Decide later' };

export class DecisionBar {
  element = h('div', { class: 'decision card' });
  #path;
  #on;
  #shown = null;
  #ends = { isFirst: true, isLast: true };
  /** What is about to be decided: a, b or defer. */
  #choice = null;
  #problem = '';
  #isSending = false;
  /** Offered again: many are decided for the same reason. */
  #lastReason = '';

  constructor(path, on) {
    this.#path = path;
    this.#on = on;
  }

  show(contradiction, ends) {
    if (contradiction?.id !== this.#shown?.id) this.#choice = null;
    this.#shown = contradiction;
    this.#ends = ends;
    this.#draw();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape' && this.#choice) return this.#choose(null);
    if (event.target.matches('input, select, textarea') || !this.#shown) return;
    const acts = {
      a: () => this.#choose('a'),
      b: () => this.#choose('b'),
      d: () => this.#choose('defer'),
      n: () => this.#on.onStep(1),
      p: () => this.#on.onStep(-1),
    };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #choose(choice) {
    if (choice && (!mayChange() || this.#shown.status !== 'open')) return;
    this.#choice = choice;
    this.#problem = '';
    this.#draw();
    if (!choice) return this.element.querySelector('button')?.focus();
    const { elements } = this.element.querySelector('form');
    const field = elements.resolved_by.value ? elements.resolution : elements.resolved_by;
    field.focus();
    field.select();
  }

  #draw() {
    patch(this.element, this.#choice ? this.#form() : this.#buttons());
  }

  #buttons() {
    const { isFirst, isLast } = this.#ends;
    const isOpen = mayChange() && this.#shown?.status === 'open';
    const button = (key, title, act, props = {}) =>
      h(
        'button',
        { type: 'button', key, onclick: act, 'aria-keyshortcuts': key, ...props },
        title,
        h('kbd', { 'aria-hidden': 'true' }, key.toUpperCase()),
      );
    return h(
      'div',
      { class: 'line', key: 'buttons' },
      isOpen && button('a', 'A holds', () => this.#choose('a'), { class: 'primary' }),
      isOpen && button('b', 'B holds', () => this.#choose('b'), { class: 'primary' }),
      isOpen && button('d', 'Decide later', () => this.#choose('defer')),
      h('span', { class: 'gap' }),
      button('p', 'Previous', () => this.#on.onStep(-1), { disabled: isFirst }),
      button('n', 'Next', () => this.#on.onStep(1), { disabled: isLast }),
    );
  }

  #form() {
    const isLater = this.#choice === 'defer';
    const field = (name, label, value, maxlength) =>
      h(
        'label',
        { class: 'field grow', key: name },
        h('span', {}, label),
        h('input', { name, value, maxlength, autocomplete: 'off' }),
      );
    return h(
      'form',
      { class: 'line', key: `form ${this.#choice}`, onsubmit: (event) => this.#decide(event) },
      h('strong', {}, `${titles[this.#choice]}.`),
      field('resolution', isLater ? 'Why later' : 'Why', this.#lastReason, 2000),
      field('resolved_by', 'Decided by', localStorage.getItem(NAME) ?? '', 200),
      h(
        'button',
        { type: 'submit', class: 'primary', disabled: this.#isSending },
        isLater ? 'Defer' : 'Decide',
        h('kbd', { 'aria-hidden': 'true' }, '↵'),
      ),
      h(
        'button',
        { type: 'button', onclick: () => this.#choose(null) },
        'Cancel',
        h('kbd', { 'aria-hidden': 'true' }, 'Esc'),
      ),
      h('p', { class: 'problem', role: 'alert' }, this.#problem),
    );
  }

  async #decide(event) {
    event.preventDefault();
    if (this.#isSending) return;
    const form = event.target;
    const { resolution, resolved_by } = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    if (!resolution || !resolved_by) {
      this.#problem = resolution
        ? 'Say who decides; it is remembered in this browser.'
        : 'Say why: whoever comes after you will want to know.';
      form.elements[resolution ? 'resolved_by' : 'resolution'].focus();
      return this.#draw();
    }
    localStorage.setItem(NAME, resolved_by);
    this.#lastReason = resolution;
    const decision = this.#choice === 'defer' ? { status: 'deferred' } : { status: 'resolved', upholds: this.#choice };
    this.#isSending = true;
    this.#draw();
    try {
      const decided = await send('PATCH', `${this.#path}/${part(this.#shown.id)}`, {
        ...decision,
        resolution,
        resolved_by,
      });
      this.#choice = null;
      this.#shown = decided;
      toast(decision.upholds ? `Decided: ${decision.upholds.toUpperCase()} holds.` : 'Deferred.');
      // From here on the keys act again, and not what is typed.
      document.getElementById('main').focus({ preventScroll: true });
      this.#on.onDecided(decided);
    } catch (problem) {
      this.#problem = problem.message;
    }
    this.#isSending = false;
    this.#draw();
  }
}
