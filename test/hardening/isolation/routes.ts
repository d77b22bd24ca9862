/** What each route does with ids, by hand: a route that is missing here fails the test, and so has to be thought about. */
import type { Ids } from './parties.ts';

export interface Expectation {
  /**
   * `nothing`: it names nothing. `tenant`: what is not the acting tenant's does not exist. `creates`: what does not exist
   * is made, in the acting tenant. `operators`: it is not about the acting tenant; operators see all.
   */
  reach: 'nothing' | 'tenant' | 'creates' | 'operators';
  /** What is answered when everything is right and what is named is there. */
  status: number;
  /** Path parameters come from the ids by name; these do not. */
  query?: (ids: Ids) => string;
  body?: (ids: Ids) => object;
  /** Of the body, where it is not JSON; one document is also a line of them. */
  type?: string;
  /** What it names within a scope or a tenant: for that also one of another tenant, in a place of one's own. */
  inner?: keyof Ids;
}

const nothing = (status = 200): Expectation => ({ reach: 'nothing', status });
const ofTenant = (status = 200, more: Partial<Expectation> = {}): Expectation => ({ reach: 'tenant', status, ...more });
const operators = (status = 200, more: Partial<Expectation> = {}): Expectation => ({
  reach: 'operators',
  status,
  ...more,
});

/** For operators, by the ids in the path; what is another tenant's is not there in this one. */
const inTenant = (inner: keyof Ids = 'scopeId', { status = 200, ...more }: Partial<Expectation> = {}) =>
  operators(status, { inner, ...more });

const document = ({ documentId, idempotencyKey }: Ids) => ({
  name: 'n',
  text: 't',
  document_id: documentId,
  idempotency_key: idempotencyKey,
});
const inScope = ({ scopeId }: Ids) => `scope_id=${scopeId}`;
const scopeBody = ({ scopeId }: Ids) => ({ scope_id: scopeId });
const ingest = (ids: Ids) => ({ ...scopeBody(ids), ...document(ids) });
const claims = (ids: Ids) => ({ ...scopeBody(ids), claim_a: 'a', claim_b: 'b', document_ids: [ids.documentId] });
const decision = () => ({ status: 'resolved', resolution: 'r', resolved_by: 'me' });
const runtime = ofTenant(200, { body: scopeBody });
const convergence = operators(200, { query: (ids) => `tenant_id=${ids.tenantId}&${inScope(ids)}` });

export const EXPECTED: Record<string, Expectation> = {
  'GET /livez': nothing(),
  'GET /readyz': nothing(),

  'GET /api/health': nothing(),
  'POST /api/ingest': { reach: 'creates', status: 202, body: ingest },
  'POST /api/ingest/batch': { reach: 'creates', status: 202, body: (ids) => ({ documents: [ingest(ids)] }) },
  'POST /api/ingest/stream': { reach: 'creates', status: 202, body: ingest, type: 'application/x-ndjson' },
  'POST /api/documents': { reach: 'creates', status: 201, body: ingest },
  'GET /api/documents/:document_id': ofTenant(200, { query: (ids) => `${inScope(ids)}&wait=1`, inner: 'documentId' }),
  'GET /api/documents/:document_id/text': ofTenant(200, {
    query: (ids) => `${inScope(ids)}&version=1`,
    inner: 'documentId',
  }),
  // Nobody works there: a document of one's own is not processed yet.
  'GET /api/documents/:document_id/claims': ofTenant(409, { query: inScope, inner: 'documentId' }),
  'DELETE /api/documents/:document_id': ofTenant(204, { query: inScope, inner: 'documentId' }),
  'POST /api/contradictions': { reach: 'creates', status: 201, body: claims },
  'GET /api/contradictions': ofTenant(200, {
    query: (ids) => `${inScope(ids)}&document_id=${ids.documentId}&severity=medium&subject=s&order=newest`,
  }),
  'GET /api/contradictions/:contradictionId': ofTenant(),
  'PATCH /api/contradictions/:contradictionId': ofTenant(200, { body: decision }),
  'GET /api/scopes': nothing(),
  'GET /api/scopes/:scopeId': ofTenant(),
  'GET /api/scopes/:scopeId/summary': ofTenant(200, { query: () => 'wait=1&through=0' }),
  'GET /api/scopes/:scopeId/documents': ofTenant(200, { query: () => 'state=queued' }),
  'GET /api/scopes/:scopeId/facts': ofTenant(200, { query: () => 'q=parts&state=agreed&order=fact_id' }),
  'GET /api/scopes/:scopeId/facts/:fact_id': ofTenant(200, { inner: 'factId' }),
  'GET /api/scopes/:scopeId/export': ofTenant(200, { query: () => 'include=documents,texts,claims' }),
  'GET /api/events': nothing(),
  'GET /api/scopes/:scopeId/events': ofTenant(),
  'POST /api/stream-tokens': ofTenant(201, { body: scopeBody }),

  'GET /admin/health': nothing(),
  'GET /admin/control-plane/health': nothing(),
  'POST /admin/tenants': { reach: 'nothing', status: 201, body: () => ({ name: 'n' }) },
  'GET /admin/tenants': operators(),
  'GET /admin/tenants/:tenantId': operators(),
  'PATCH /admin/tenants/:tenantId': operators(200, { body: () => ({ name: 'renamed' }) }),
  'DELETE /admin/tenants/:tenantId': operators(204),
  'GET /admin/tenants/:tenantId/keys': operators(),
  'POST /admin/tenants/:tenantId/keys': operators(201, {
    body: ({ scopeId }) => ({ permissions: ['read'], scope_ids: [scopeId] }),
  }),
  'DELETE /admin/tenants/:tenantId/keys/:prefix': operators(204, { inner: 'keyPrefix' }),
  'POST /admin/tenants/:tenantId/keys/:prefix/rotate': operators(201, {
    body: () => ({ grace_s: 0 }),
    inner: 'keyPrefix',
  }),

  'GET /admin/documents': operators(200, {
    query: ({ tenantId, scopeId }) => `tenant_id=${tenantId}&scope_id=${scopeId}&state=queued&error=e`,
  }),
  'POST /admin/documents/retry': operators(200, {
    body: ({ tenantId, scopeId, documentId }) => ({
      ids: [{ tenant_id: tenantId, scope_id: scopeId, document_id: documentId }],
    }),
  }),

  'GET /admin/tenants/:tenantId/scopes': operators(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/summary': inTenant('scopeId', { query: () => 'wait=1&through=0' }),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/metrics': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/events': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/documents': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/documents/:document_id': inTenant('documentId', {
    query: () => 'wait=1&limit=1',
  }),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/documents/:document_id/text': inTenant('documentId'),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/documents/:document_id/claims': inTenant('documentId', { status: 409 }),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/facts': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/facts/:fact_id': inTenant('factId'),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/contradictions': inTenant(),
  'GET /admin/tenants/:tenantId/scopes/:scopeId/contradictions/:contradictionId': inTenant('contradictionId'),
  'PATCH /admin/tenants/:tenantId/scopes/:scopeId/contradictions/:contradictionId': inTenant('contradictionId', {
    body: decision,
  }),

  'GET /admin/audit': operators(200, { query: ({ tenantId }) => `tenant_id=${tenantId}&limit=1` }),
  'GET /admin/audit/export': operators(200, { query: ({ tenantId }) => `tenant_id=${tenantId}` }),
  'GET /admin/scopes': nothing(),
  'POST /admin/scopes': { reach: 'creates', status: 201, body: scopeBody },
  'DELETE /admin/scopes/:scopeId': ofTenant(204),
  'POST /admin/scopes/:scopeId/ingest': ofTenant(200, { body: () => ({ retry_failed: true }) }),
  'POST /admin/scopes/:scopeId/reset': ofTenant(),
  'GET /admin/scopes/:scopeId/summary': ofTenant(),
  'GET /admin/scopes/:scopeId/metrics': ofTenant(),
  'GET /admin/scopes/:scopeId/events': ofTenant(),
  'GET /admin/scopes/:scopeId/documents': ofTenant(),
  'POST /admin/scopes/:scopeId/documents': { reach: 'creates', status: 201, body: document },
  'GET /admin/scopes/:scopeId/contradictions': ofTenant(),
  'GET /admin/scopes/:scopeId/contradictions/:contradictionId': ofTenant(200, { inner: 'contradictionId' }),
  'PATCH /admin/scopes/:scopeId/contradictions/:contradictionId': ofTenant(200, {
    body: decision,
    inner: 'contradictionId',
  }),
  'GET /admin/runtime': operators(200, { query: ({ tenantId }) => `tenant_id=${tenantId}` }),
  ...Object.fromEntries(
    ['start', 'pause', 'resume', 'stop', 'restart'].flatMap((action) => [
      [`POST /admin/runtime/${action}`, runtime],
      [`POST /internals/kernel/runtime/${action}`, runtime],
    ]),
  ),

  'GET /internals/health': nothing(),
  'GET /internals/kernel/health': nothing(),
  'GET /internals/kernel/hatchery/snapshot': nothing(),
  'GET /internals/kernel/control-plane/health': nothing(),
  'GET /internals/metrics': nothing(),
  'GET /internals/kernel/convergence': convergence,
  'GET /internals/kernel/events': operators(),
  'GET /internals/hatchery/snapshot': nothing(),
  'GET /internals/control-plane/health': nothing(),
  'GET /internals/convergence': convergence,
  'GET /internals/events': operators(),
};

/** Routes without an expectation, and expectations without a route. */
export function unaccounted(routes: string[], expected = EXPECTED): string[] {
  return [
    ...routes.filter((name) => !Object.hasOwn(expected, name)),
    ...Object.keys(expected).filter((name) => !routes.includes(name)),
  ];
}
