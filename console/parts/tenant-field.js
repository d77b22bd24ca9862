/** Chooses a tenant by its name or its id, of however many there are. */
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { nameOf, tenants } from '../core/names.js';

const LIST = 'tenants';
const ID = /^ten_\w+$/;

/** What is offered, and stands in the field when it was chosen: names alone may be the same. */
export const labelOf = (tenantId, name) => (name === tenantId ? tenantId : `${name} · ${tenantId}`);

/**
 * The id of the one that is meant: as it was offered, by its id, which need not be among those that are offered, or by a name that
 * only one of them has. `{ problem }` where it cannot be said which.
 */
export function chosenBy(text, list) {
  const given = text.trim();
  if (given === '' || ID.test(given)) return { tenantId: given };
  const offered = list.find(({ tenant_id, name }) => tenant_id === given || labelOf(tenant_id, name) === given);
  if (offered) return { tenantId: offered.tenant_id };
  const named = list.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (named.length === 1) return { tenantId: named[0].tenant_id };
  return {
    problem:
      named.length > 1 ? 'Several have that name: choose one of those.' : 'No tenant here has that name. Give its id.',
  };
}

let offered = null;

/** One list for all fields, made anew only when they were read anew: there may be a thousand, and views are drawn often. */
function offer() {
  const { list } = tenants.value;
  if (offered === list) return;
  offered = list;
  const options = list.map(({ tenant_id, name }) => h('option', { value: labelOf(tenant_id, name) }));
  document.getElementById(LIST).replaceChildren(...options);
}

export function tenantField({ value = '', onChange, all = 'All tenants' }) {
  offer();
  const { list, isAll } = tenants.value;
  const choose = ({ target }) => {
    const { tenantId, problem } = chosenBy(target.value, tenants.value.list);
    target.setCustomValidity(problem ?? '');
    if (problem) target.reportValidity();
    if (tenantId) target.value = labelOf(tenantId, nameOf(tenantId));
    if (!problem && tenantId !== value) onChange(tenantId);
  };
  return h(
    'label',
    { class: 'field grow', key: 'Tenant' },
    h('span', {}, 'Tenant'),
    h('input', {
      type: 'search',
      list: LIST,
      value: value && labelOf(value, nameOf(value)),
      placeholder: all,
      maxlength: 400,
      autocomplete: 'off',
      spellcheck: 'false',
      onchange: choose,
      // The cross in the field.
      onsearch: choose,
      oninput: ({ target }) => {
        target.setCustomValidity('');
        // One that was taken out of the list. What is typed waits for Enter.
        if (tenants.value.list.some(({ tenant_id, name }) => labelOf(tenant_id, name) === target.value))
          choose({ target });
      },
    }),
    !isAll && h('small', {}, `${count(list.length)} are offered, and there are more; any id is taken.`),
  );
}
