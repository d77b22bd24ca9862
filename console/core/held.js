/** What is paused or stopped, and whether the parts of the service work: known to every view, since the menu tells it. */
import { get } from './api.js';
import { poll } from './poll.js';
import { Store } from './store.js';

const EVERY_MS = 3000;
const MAX_LEVELS = 200;

/**
 * `levels` is null until it is known, and of the moment `at`; `problem` is why it could not be read since. `isMore` says that there are
 * more than are shown.
 */
export const held = new Store({ levels: null, isMore: false, at: null, problem: null });
/**
 * `plane` is the answer of the control plane, also when it says that a part is down; `accepts` that of the tenants' tier; `at` and
 * `problem` as above.
 */
export const health = new Store({ plane: null, accepts: null, at: null, problem: null });

export let refreshHeld = () => {};

export function startWatching(signal) {
  refreshHeld = poll(readHeld, EVERY_MS, signal);
  poll(readHealth, EVERY_MS, signal);
}

async function readHeld() {
  try {
    const { levels, next_cursor } = await get('/admin/runtime', { limit: MAX_LEVELS });
    held.set({ levels, isMore: next_cursor !== null, at: Date.now(), problem: null });
  } catch (problem) {
    held.set({ ...held.value, problem });
  }
}

async function readHealth() {
  try {
    const [plane, accepts] = await Promise.all([
      get('/admin/control-plane/health', {}, { acceptable: [503] }),
      get('/api/health', {}, { acceptable: [503] }),
    ]);
    // Without Postgres there is an answer; from a service that is too busy there is only its refusal.
    if (plane.checks) health.set({ plane, accepts, at: Date.now(), problem: null });
    else health.set({ ...health.value, accepts, problem: { message: plane.detail } });
  } catch (problem) {
    health.set({ ...health.value, problem });
  }
}
