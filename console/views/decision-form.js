/** The form of a decision: what will stand, why, and who says so. */
import { h } from '../core/dom.js';

/** Who decides, as this browser remembers it. */
const NAME = 'docket-decided-by';
export const rememberName = (name) => localStorage.setItem(NAME, name);

/** `choice` is a, b or defer, and `says` what each side says; `reason` is offered. */
export function decisionForm({ choice, says, reason, problem, isSending, onSubmit, onCancel }) {
  const isLeft = choice === 'defer';
  return h(
    'form',
    { class: 'line', key: `form ${choice}`, 'aria-labelledby': 'decision-title', onsubmit: onSubmit },
    h(
      'p',
      { class: 'words', id: 'decision-title' },
      h('strong', {}, isLeft ? 'Leave it undecided, for good.' : `${choice.toUpperCase()} holds: ${says[choice]}`),
      isLeft && ' This cannot be undone: neither side can be upheld afterwards.',
    ),
    field('resolution', 'Why', reason, 2000),
    field('resolved_by', 'Decided by', localStorage.getItem(NAME) ?? '', 200),
    h(
      'button',
      { type: 'submit', class: 'primary', disabled: isSending },
      isLeft ? 'Leave undecided' : 'Decide',
      h('kbd', { 'aria-hidden': 'true' }, '↵'),
    ),
    h(
      'button',
      { type: 'button', disabled: isSending, onclick: onCancel },
      'Cancel',
      h('kbd', { 'aria-hidden': 'true' }, 'Esc'),
    ),
    h('p', { class: 'problem', role: 'alert' }, problem),
  );
}

const field = (name, label, value, maxlength) =>
  h(
    'label',
    { class: 'field grow', key: name },
    h('span', {}, label),
    h('input', { name, value, maxlength, autocomplete: 'off' }),
  );
