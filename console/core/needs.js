/** What waits for a person: documents that have failed, and scopes whose documents contradict each other. */
import { get } from './api.js';
import { readScopes } from './scopes.js';
import { seesInternals } from './session.js';

/** No route counts what has failed: one page is read, and more than that is said to be so. */
const MAX_FAILED = 200;

/** `{ n, isMore, first }`: the newest of them is an example. */
export async function readFailed(signal) {
  const { documents, next_cursor } = await get('/admin/documents', { state: 'failed', limit: MAX_FAILED }, { signal });
  return { n: documents.length, isMore: next_cursor !== null, first: documents[0] ?? null };
}

/** `{ scopes, isMore }`, the most disputed first; null for a key that sees no scopes of all tenants. */
export async function readDisputed(signal) {
  if (!seesInternals()) return null;
  const { scopes, isMore } = await readScopes(undefined, signal);
  return { scopes: disputed(scopes), isMore };
}

export const disputed = (scopes) =>
  scopes.filter(({ blockers }) => blockers.length > 0).sort((a, b) => b.groups.disputed - a.groups.disputed);
