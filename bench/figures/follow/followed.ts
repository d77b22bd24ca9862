/** What is followed and waited for: requests for it, and the settings of a service that lets so many in. */
import type { Wanted } from '../../events/node.ts';
import type { Tenant } from '../../parts/stores.ts';
import type { Site } from '../site.ts';

/** Who waits, and as many streams. */
export const FOLLOWERS = 1000;
/** As long as may be: whoever is answered in between asks again. */
const WAIT_S = 60;

/** Limits are not measured here. */
export const FOLLOWED = {
  // Whoever leaves without its answer is worth a warning, and here they do so on purpose.
  LOG_LEVEL: 'error',
  MAX_STREAMS: '10000',
  MAX_WAITERS: '10000',
  TENANT_STREAMS: '10000',
  TENANT_WAITERS: '10000',
  TENANT_READS_PER_S: '100000',
};

export interface Followed {
  scope_id: string;
  document_id: string;
}

const headersOf = ({ key }: Tenant) => ({ 'x-tenant-api-key': key });

export const waitFor = (tenant: Tenant, { scope_id, document_id }: Followed): Wanted => ({
  path: `/api/documents/${document_id}?scope_id=${scope_id}&wait=${WAIT_S}`,
  headers: headersOf(tenant),
});

export const streamOf = (tenant: Tenant, scopeId: string): Wanted => ({
  path: `/api/scopes/${scopeId}/events`,
  headers: headersOf(tenant),
});

/** Of all scopes, and only of documents that are done: so each is told of once. */
export const streamOfProcessed = (tenant: Tenant): Wanted => ({
  path: '/api/events?types=document.processed',
  headers: headersOf(tenant),
});

/** The documents to wait for, with their tenants: those that came first to each scope, as many as there are followers. */
export async function listQueued(site: Site): Promise<(Followed & { tenant: Tenant })[]> {
  const rows = await site.look(
    `select s.tenant_id, s.scope_id, d.document_id
       from documents d join scopes s on s.scope_key = d.scope_key and s.generation = d.generation
      where d.state = 'queued' order by d.seq, s.scope_key limit $1`,
    [FOLLOWERS],
  );
  const tenants = new Map(site.tenants.map((tenant) => [tenant.id, tenant]));
  return rows.map(({ tenant_id, ...followed }) => ({ ...followed, tenant: tenants.get(tenant_id) as Tenant }));
}
