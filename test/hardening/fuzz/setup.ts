/** What has to be there before the first request, and what has to go well after the last one; all of it over the API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, operationsOf } from './operations.ts';
import { CANARY, FIRST_TEXT, KEPT, type World } from './world.ts';

export interface Place {
  url: string;
  admin: string;
  internals: string;
}

const SCOPES = ['alpha', 'beta', 'gamma', 'delta', KEPT];
const DOCUMENTS = ['one', 'two', 'three/3', 'vier 4', '🙂', 'a%2Fb', '..', '__proto__'];
const VICTIMS = 10;
/** In each scope: three routes decide them, and each of them can be decided once. */
const REPORTS = 6;
const SETTLED_WITHIN_MS = 120_000;

async function call(place: Place, method: string, path: string, body?: Json, more: Record<string, string> = {}) {
  const response = await fetch(place.url + path, {
    method,
    headers: {
      authorization: `Bearer ${place.internals}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? (JSON.parse(text) as Json) : null;
}

export async function readDocument(url: string): Promise<Json> {
  return (await fetch(`${url}/openapi.json`)).json();
}

export async function makeWorld(place: Place, document: Json): Promise<World> {
  const tenant = await call(place, 'POST', '/admin/tenants', { name: 'the one that acts' });
  const victims = [];
  for (let n = 0; n < VICTIMS; n++) {
    const { tenant_id, key_prefix } = await call(place, 'POST', '/admin/tenants', { name: `victim ${n}` });
    victims.push({ tenantId: tenant_id, keyPrefix: key_prefix });
  }
  const contradictions = [];
  const own = { 'x-tenant-id': tenant.tenant_id };
  for (const scope_id of SCOPES) {
    for (let n = 0; n < REPORTS; n++) {
      const report = { scope_id, claim_a: `${CANARY} is ${n}`, claim_b: `${CANARY} is -1` };
      const { id } = await call(place, 'POST', '/api/contradictions', report, own);
      contradictions.push({ scopeId: scope_id, id });
    }
    const text = FIRST_TEXT;
    for (const document_id of DOCUMENTS)
      await call(place, 'POST', '/api/ingest', { scope_id, name: CANARY, text, document_id }, own);
  }
  const ofTenant = { 'x-tenant-api-key': tenant.api_key };
  const { token } = await call(place, 'POST', '/api/stream-tokens', { ttl_s: 3600 }, ofTenant);
  const ingest = operationsOf(document).find(({ name }) => name === 'POST /api/ingest');
  return {
    admin: place.admin,
    internals: place.internals,
    tenantId: tenant.tenant_id,
    tenantKey: tenant.api_key,
    streamToken: token,
    victims,
    scopes: [...SCOPES, 'nowhere'],
    documents: DOCUMENTS,
    contradictions,
    batchItem: ingest?.body?.schema,
  };
}

/** Sets everything going again, and waits until all that was accepted is processed or failed, and one document more. */
export async function settle(place: Place, world: World): Promise<{ documents: number; failed: number }> {
  const own = { 'x-tenant-api-key': world.tenantKey };
  await call(place, 'POST', '/admin/runtime/start');
  await call(place, 'POST', '/admin/runtime/start', {}, own);
  const scopes = await scopesOf(place, own);
  for (const { scope_id, state } of scopes)
    if (state !== 'running') await call(place, 'POST', '/admin/runtime/start', { scope_id }, own);

  const last = { scope_id: 'afterwards', name: 'n', text: 'The lease runs for three years.', document_id: 'last' };
  await call(place, 'POST', '/api/ingest', last, { 'x-tenant-id': world.tenantId });
  const sum = { documents: 0, failed: 0 };
  for (const scope_id of [...scopes.map((scope) => scope.scope_id), last.scope_id]) {
    const { total, failed } = await quiet(place, own, scope_id);
    sum.documents += total;
    sum.failed += failed;
  }
  const { state } = await call(place, 'GET', `/api/documents/last?scope_id=${last.scope_id}`, undefined, own);
  if (state !== 'processed') throw new Error(`an ordinary document is ${state} afterwards`);
  return sum;
}

async function scopesOf(place: Place, own: Record<string, string>): Promise<{ scope_id: string; state: string }[]> {
  const found = [];
  for (let cursor = ''; ; ) {
    const page = await call(place, 'GET', `/admin/scopes?limit=200${cursor}`, undefined, own);
    found.push(...page.scopes);
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

async function quiet(place: Place, own: Record<string, string>, scopeId: string): Promise<Json> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { documents } = await call(place, 'GET', `/api/scopes/${scopeId}/summary`, undefined, own);
    if (documents.queued + documents.processing === 0) return documents;
    if (performance.now() > deadline) throw new Error(`${scopeId} does not settle: ${JSON.stringify(documents)}`);
    await sleep(50);
  }
}
