/** Asks the service, through the console that has served the page, and notes whether it answers. */
import { passHeaders } from './pass.js';
import { Store } from './store.js';

/** What went wrong, in words that can be shown. */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/**
 * `up`; `away` when the service does not answer; `gone` when the console itself does not; `refused` when the key is not good
 * any more; `locked` when the console does not know this browser.
 */
export const connection = new Store({ state: 'up', detail: '', since: Date.now() });

const WAIT_MS = 35_000;

export const get = (path, query = {}, options = {}) => ask('GET', withQuery(path, query), undefined, options);
export const send = (method, path, body, options = {}) => ask(method, path, body, options);

/** A part of a path that somebody has chosen. */
export const part = encodeURIComponent;
export const scopePath = (tenantId, scopeId) => `/admin/tenants/${part(tenantId)}/scopes/${part(scopeId)}`;

/**
 * A browser takes a part of one dot or two for the folder it is in or above, also when it is encoded; and who reads a slash in percent
 * as one would do so within a part. In a query there is no slash.
 */
export function checkPath(path) {
  if (/(?:\/|%2f|%5c)\.{1,2}(?=\/|%2f|%5c|$)/i.test(path.split('?', 1)[0]))
    throw new Problem(
      400,
      'unaddressable',
      'An id with a step in it, a dot or two between slashes, cannot be asked for.',
    );
}

export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** `base` is where the path is; `acceptable` are statuses that are answers, too. */
async function ask(method, path, body, options) {
  const { signal, base = '/service', acceptable = [] } = options;
  checkPath(path);
  const askedAt = performance.now();
  const limit = AbortSignal.timeout(WAIT_MS);
  /** @type {RequestInit} */
  const init = {
    method,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    cache: 'no-store',
    headers: { ...passHeaders(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  let response;
  try {
    response = await fetch(base + path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    const problem = new Problem(0, 'gone', 'The console does not answer. Was `npm run console` ended?');
    note(problem, askedAt);
    throw problem;
  }
  const content = await contentOf(response, signal);
  if (response.ok || acceptable.includes(response.status)) {
    note(null);
    return content;
  }
  const problem = new Problem(
    response.status,
    content.code ?? 'unknown',
    content.detail ?? `It answered ${response.status}.`,
  );
  note(problem, askedAt);
  throw problem;
}

async function contentOf(response, signal) {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  try {
    return isJson ? await response.json() : await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, 'cut', 'The answer broke off.');
  }
}

let answeredAt = 0;

/**
 * Also for streams, which ask by themselves. A question that nobody answers, while others are answered, says something of its own
 * route alone: one that is slow is no alarm.
 */
export function note(problem, askedAt = performance.now()) {
  const state = stateOf(problem);
  const isSilent = state === 'away' || state === 'gone';
  if (isSilent && answeredAt > askedAt) return;
  if (!isSilent) answeredAt = performance.now();
  const before = connection.value;
  if (before.state === state && before.detail === (problem?.message ?? '')) return;
  // Told once, also when the words of the detail change.
  const since = before.state === state ? before.since : Date.now();
  connection.set({ state, detail: problem?.message ?? '', since });
}

function stateOf(problem) {
  if (problem?.code === 'gone') return 'gone';
  if (problem?.code === 'locked') return 'locked';
  if (problem?.code === 'unreachable') return 'away';
  if (problem?.status === 401) return 'refused';
  return 'up';
}
