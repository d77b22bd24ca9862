/** The bar below a contradiction: uphold a or b, leave it, go on. Each has a key, and a decision asks once for its reason. */
import { part, send } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { letterKeys } from '../core/letter-keys.js';
import { mayChange } from '../core/session.js';
import { toast } from '../parts/toast.js';
import { decisionForm, rememberName } from './decision-form.js';
import { titleOf } from './sides.js';

export class DecisionBar {
  element = h('div', { class: 'decision card' });
  #path;
  #on;
  #signal;
  #shown = null;
  #ends = { isFirst: true, isLast: true };
  /** What each side says, in words. */
  #says = { a: '', b: '' };
  /** What is about to be decided: a, b or defer. */
  #choice = null;
  #problem = '';
  /** The id of the one whose decision is on its way. Another may be shown by the time that the service answers. */
  #sent = null;
  /** The letter that has acted last, until another key is pressed. */
  #pressed = null;
  /** Offered again: many are decided for the same reason. */
  #lastReason = '';

  /** `onDecided(decided, isShown)` is told what was decided and whether it is still what is shown; `onStep` where to go. */
  constructor(path, on, signal) {
    this.#path = path;
    this.#on = on;
    this.#signal = signal;
  }

  show(contradiction, ends, says) {
    if (contradiction?.id !== this.#shown?.id) {
      this.#choice = null;
      this.#problem = '';
    }
    this.#shown = contradiction;
    this.#ends = ends;
    this.#says = says;
    this.#draw();
  }

  onKey(event) {
    // A key that is held down is pressed once, and does not write into the form that it has opened.
    if (event.repeat) return event.key === this.#pressed && event.preventDefault();
    this.#pressed = null;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape' && this.#choice) return this.#choose(null);
    if (!letterKeys.value || event.target.matches('input, select, textarea') || !this.#shown || this.#isOnItsWay())
      return;
    const acts = {
      a: () => this.#choose('a'),
      b: () => this.#choose('b'),
      l: () => this.#choose('defer'),
      n: () => this.#on.onStep(1),
      p: () => this.#on.onStep(-1),
    };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    this.#pressed = event.key;
    act();
  }

  #isOnItsWay() {
    return this.#sent !== null && this.#sent === this.#shown?.id;
  }

  #choose(choice) {
    // What was sent cannot be taken back.
    if (this.#isOnItsWay()) return;
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
    const disabled = this.#isOnItsWay();
    const button = (key, title, act, props = {}) =>
      h(
        'button',
        { type: 'button', key, onclick: act, 'aria-keyshortcuts': letterKeys.value && key, ...props },
        title,
        letterKeys.value && h('kbd', { 'aria-hidden': 'true' }, key.toUpperCase()),
      );
    return h(
      'div',
      { class: 'line', key: 'buttons' },
      isOpen && button('a', 'A holds', () => this.#choose('a'), { class: 'primary', disabled }),
      isOpen && button('b', 'B holds', () => this.#choose('b'), { class: 'primary', disabled }),
      isOpen && button('l', 'Leave undecided', () => this.#choose('defer'), { disabled }),
      h('span', { class: 'gap' }),
      button('p', 'Previous', () => this.#on.onStep(-1), { disabled: isFirst }),
      button('n', 'Next', () => this.#on.onStep(1), { disabled: isLast }),
    );
  }

  #form() {
    return decisionForm({
      choice: this.#choice,
      says: this.#says,
      reason: this.#lastReason,
      problem: this.#problem,
      // One at a time.
      isSending: this.#sent !== null,
      onSubmit: (event) => this.#submit(event),
      onCancel: () => this.#choose(null),
    });
  }

  #submit(event) {
    event.preventDefault();
    if (this.#sent !== null) return;
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
    rememberName(resolved_by);
    this.#lastReason = resolution;
    const choice = this.#choice;
    const decision = choice === 'defer' ? { status: 'deferred' } : { status: 'resolved', upholds: choice };
    return this.#send(this.#shown, { ...decision, resolution, resolved_by });
  }

  /** Of the one that was shown when it was sent, whatever is shown when the answer comes. */
  async #send(one, decision) {
    this.#sent = one.id;
    this.#problem = '';
    this.#draw();
    const { decided, problem } = await send('PATCH', `${this.#path}/${part(one.id)}`, decision).then(
      (answer) => ({ decided: answer, problem: null }),
      (error) => ({ decided: null, problem: error }),
    );
    this.#sent = null;
    const isShown = !this.#signal.aborted && this.#shown?.id === one.id;
    const prefix = isShown ? '' : `${titleOf(one)}. `;
    const done = decision.upholds ? `Decided: ${decision.upholds.toUpperCase()} holds.` : 'Left undecided.';
    if (decided) toast(prefix + done);
    else if (isShown && this.#choice) this.#problem = problem.message;
    else toast(`${prefix}Not decided: ${problem.message}`, 'bad');
    if (this.#signal.aborted) return;
    if (decided && isShown) {
      this.#choice = null;
      this.#shown = decided;
      // From here on the keys act again, and not what is typed.
      document.getElementById('main').focus({ preventScroll: true });
    }
    if (decided) this.#on.onDecided(decided, isShown);
    this.#draw();
  }
}
