/** Pause, stop and restart: whom it is about and why is asked for first. To let go what is held stands beside it in the list. */
import { send } from '../core/api.js';
import { h } from '../core/dom.js';
import { refreshHeld } from '../core/held.js';
import { tenants } from '../core/names.js';
import { ask } from '../parts/dialog.js';
import { icon } from '../parts/icons.js';
import { toast } from '../parts/toast.js';

const acts = {
  pause: {
    word: 'Pause',
    text: 'Documents are accepted all the while, and wait. Batches in hand are finished.',
    done: 'Paused.',
  },
  stop: {
    word: 'Stop',
    text: 'As a pause, and of everybody also the workers end. It goes on when somebody starts it again.',
    done: 'Stopped.',
  },
  restart: {
    word: 'Restart',
    text: 'Batches in hand are finished, then it runs, whatever it did before; of everybody with new workers.',
    done: 'Restarted.',
  },
};

export const holdButtons = () =>
  h(
    'div',
    { class: 'line' },
    Object.entries(acts).map(([verb, { word }]) =>
      h('button', { type: 'button', key: verb, onclick: () => hold(verb) }, icon(verb), `${word}…`),
    ),
  );

export const addressed = (tenant_id, scope_id, reason) => ({
  ...(tenant_id && { tenant_id }),
  ...(scope_id && { scope_id }),
  ...(reason && { reason }),
});

/** No tenant has such an id. */
const EVERYBODY = '*';

async function hold(verb) {
  const { word, text, done } = acts[verb];
  const list = tenants.value.list.map(({ tenant_id, name }) => [tenant_id, name]);
  const answer = await ask({
    title: `${word} processing`,
    text,
    fields: [
      {
        name: 'tenant_id',
        label: 'Of whom',
        // Nobody is meant until somebody is chosen.
        options: [['', 'Choose…'], [EVERYBODY, 'Everybody'], ...list],
        required: true,
      },
      {
        name: 'scope_id',
        label: 'Only this scope',
        hint: 'Leave it empty for all scopes of the tenant.',
        maxlength: 120,
      },
      { name: 'reason', label: 'Why', hint: 'Whoever looks here next will read it.', required: true, maxlength: 500 },
    ],
    confirm: word,
    kind: 'bad',
    act: ({ tenant_id, scope_id, reason }) => {
      const tenantId = tenant_id === EVERYBODY ? null : tenant_id;
      if (scope_id.trim() && !tenantId) throw new Error('Choose whose scope it is.');
      return send('POST', `/admin/runtime/${verb}`, addressed(tenantId, scope_id.trim(), reason.trim()));
    },
  });
  if (!answer) return;
  toast(done);
  refreshHeld();
}
