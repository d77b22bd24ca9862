/** The fields of filters: each with a label, and each writes itself into the address. */
import { h } from '../core/dom.js';

export { tenantField } from './tenant-field.js';

export const selectField = ({ label, value = '', options, onChange }) =>
  h(
    'label',
    { class: 'field', key: label },
    h('span', {}, label),
    h(
      'select',
      { onchange: (event) => onChange(event.target.value), value },
      options.map(([key, words]) => h('option', { value: key }, words)),
    ),
  );

/** Written into the address when typing pauses, unless somebody has gone elsewhere by then. */
const PAUSE_MS = 300;
const timers = new Map();
const placeNow = () => location.hash.split('?', 1)[0];

export const textField = ({ label, value = '', placeholder, maxlength = 200, onChange }) =>
  h(
    'label',
    { class: 'field grow', key: label },
    h('span', {}, label),
    h('input', {
      type: 'search',
      value,
      placeholder,
      maxlength,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: ({ target }) => {
        clearTimeout(timers.get(label));
        const place = placeNow();
        const write = () => target.isConnected && placeNow() === place && onChange(target.value.trim());
        timers.set(label, setTimeout(write, PAUSE_MS));
      },
    }),
  );

/** One of a few, as buttons side by side. */
export const choice = ({ label, value, options, onChange }) =>
  h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': label },
    options.map(([key, words]) =>
      h('button', { type: 'button', key, 'aria-pressed': String(key === value), onclick: () => onChange(key) }, words),
    ),
  );
