/** Asks once before something is changed: what will happen, and why it is done. */
import { h } from '../core/dom.js';
import { toast } from './toast.js';

/**
 * Resolves with what was filled in, by name, and what `act` gave, or with null when nothing was done. `act` is done while the
 * dialog is open, and what it throws is shown there, so that nothing has to be typed twice. The signal that it gets is aborted
 * when the dialog is closed before: what takes long ends early then, and what it has done by then is still told.
 */
export function ask({ title, text, fields = [], confirm, kind = 'plain', act }) {
  const { promise, resolve } = Promise.withResolvers();
  const problem = h('p', { class: 'problem', role: 'alert' });
  const yes = h('button', { type: 'submit', class: kind === 'bad' ? 'danger' : 'primary' }, confirm);
  const form = h(
    'form',
    { novalidate: true },
    h('h2', { id: 'dialog-title' }, title),
    [text].flat().map((line) => h('p', {}, line)),
    fields.map(field),
    problem,
    h('div', { class: 'actions' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), yes),
  );
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  const stop = new AbortController();
  let acting = null;
  let answer = null;
  dialog.addEventListener('close', async () => {
    dialog.remove();
    stop.abort();
    await acting;
    resolve(answer);
  });
  const perform = async (values) => {
    try {
      answer = { values, result: await act?.(values, stop.signal) };
      dialog.close();
    } catch (error) {
      if (stop.signal.aborted) toast(error.message, 'bad');
      problem.textContent = error.message;
      yes.disabled = false;
    }
  };
  form.addEventListener('input', () => {
    problem.textContent = '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    const missing = fields.find(({ name, required }) => required && !String(values[name] ?? '').trim());
    if (missing) {
      problem.textContent = `${missing.label} is needed.`;
      form.elements[missing.name].focus();
      return;
    }
    yes.disabled = true;
    acting = perform(values);
  });
  document.body.append(dialog);
  dialog.showModal();
  // The first field, or else what goes on.
  (form.querySelector('input, select, textarea') ?? yes).focus();
  return promise;
}

function field({ name, label, hint, value = '', options, maxlength }) {
  const input = options
    ? h(
        'select',
        { name },
        options.map(([key, words]) => h('option', { value: key, selected: key === value }, words)),
      )
    : h('input', { name, value, maxlength, autocomplete: 'off' });
  return h('label', {}, h('span', {}, label), input, hint && h('small', {}, hint));
}
