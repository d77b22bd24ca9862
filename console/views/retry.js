/** Has documents that failed tried again: counted first, asked once, then queued piece by piece. */
import { send } from '../core/api.js';
import { count, counted, moment } from '../core/format.js';
import { nameOf } from '../core/names.js';
import { ask } from '../parts/dialog.js';
import { toast } from '../parts/toast.js';

/** Each call queues for up to ten seconds. */
const MAX_CALLS = 500;

const retry = (body) => send('POST', '/admin/documents/retry', body);

/** All that a filter finds. */
export async function retryAll(filter, onDone) {
  let found;
  try {
    found = await retry({ ...filter, dry_run: true });
  } catch (problem) {
    return toast(problem.message, 'bad');
  }
  if (found.matched === 0) return toast('There is nothing left that has failed.', 'plain');
  const n = `${found.complete ? '' : 'at least '}${counted(found.matched, 'document')}`;
  // What fails after the question is not meant by the answer.
  const asked = { ...filter, older_than: found.older_than };
  const done = await ask({
    title: `Try ${n} again?`,
    text: [
      describe(filter),
      'They are queued with all their attempts. What was wrong has to be mended first, or they will fail again.',
    ],
    confirm: `Retry ${found.complete ? count(found.matched) : 'them'}`,
    act: (_values, signal) => retryPieces(asked, signal),
  });
  if (!done) return;
  const { queued, isComplete } = done.result;
  const what = `${counted(queued, 'document')} queued again`;
  if (isComplete) toast(`${what}.`);
  else toast(`Stopped: ${what}, and not all that match.`, 'plain');
  onDone();
}

function describe({ tenant_id, scope_id, error, older_than, ids }) {
  if (ids) return `Those of the id ${ids[0].document_id} that have failed.`;
  const whose = tenant_id
    ? scope_id
      ? `of ${nameOf(tenant_id)}, scope ${scope_id}`
      : `of ${nameOf(tenant_id)}`
    : 'of all tenants';
  const when = older_than ? ` before ${moment(older_than)}` : '';
  return `All that have failed ${whose}${when}${error ? `, with an error that begins “${error}”` : ''}.`;
}

/** Stops between two pieces: of one that is broken off nobody knows how much it has queued. */
async function retryPieces(filter, signal) {
  let queued = 0;
  let isComplete = false;
  for (let call = 0; call < MAX_CALLS && !isComplete && !signal.aborted; call++) {
    const answer = await retry(filter);
    queued += answer.queued;
    isComplete = answer.complete;
  }
  return { queued, isComplete };
}

export async function retryOne(key, name, onDone) {
  const done = await ask({
    title: `Try ${name} again?`,
    text: 'It is queued with all its attempts.',
    confirm: 'Retry',
    act: async () => {
      const { queued } = await retry({ ids: [key] });
      if (queued === 0) throw new Error('It has not failed any more: somebody else was quicker, or it was deleted.');
    },
  });
  if (!done) return;
  toast(`${name} is queued again.`);
  onDone();
}
