/** What the key of the console is good for. The key itself never comes here. */
import { get } from './api.js';

/** @type {{ service: string, tier: string, readOnly: boolean }} */
export const session = { service: '', tier: 'admin', readOnly: true };

export async function openSession() {
  const { service, tier, read_only } = await get('/session', {}, { base: '/console' });
  Object.assign(session, { service, tier, readOnly: read_only });
}

/** Figures of the whole service, scopes by convergence and the tail of all events are for this tier only. */
export const seesInternals = () => session.tier === 'internals';
export const mayChange = () => !session.readOnly;
