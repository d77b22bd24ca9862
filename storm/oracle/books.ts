/** What there is after a storm, as it is shown over HTTP, and for depth as it is in Postgres. */
import type { Deployment } from '../deployment.ts';
import type { Tenant } from '../journal.ts';

export interface StoredDocument {
  document_id: string;
  version: number;
  seq: number;
  name: string;
  state: string;
  attempts: number;
  claims: number | null;
}

export interface ScopeBooks {
  tenantId: string;
  scopeId: string;
  documents: StoredDocument[];
  contradictions: { id: string; document_ids: string[] }[];
  summary: {
    documents: Record<string, number>;
    last_seq: number | null;
    claims: { total: number };
    contradictions: { open: number };
  };
}

export interface LoggedEvent {
  id: number;
  type: string;
  tenantId: string | null;
  scopeId: string | null;
  documentId: string | null;
  version: number | null;
  contradictionId: string | null;
}

export interface Books {
  scopes: ScopeBooks[];
  /** In order of their ids. */
  events: LoggedEvent[];
  /** Rows in the table of documents, by tenant and scope: the API could be wrong in the same way twice. */
  rows: Map<string, number>;
  /** Readings in the table, by tenant and scope. */
  readings: Map<string, number>;
  /** Ids of events that an outside reader was sent, in the order in which they came; null when none read along. */
  streamed: number[] | null;
}

export const placeOf = (tenantId: string, scopeId: string) => `${tenantId} ${scopeId}`;

export async function readBooks(deployment: Deployment, streamed: number[] | null): Promise<Books> {
  const scopes: ScopeBooks[] = [];
  for (const tenant of deployment.tenants) {
    const names = await pages(deployment, tenant, '/admin/scopes?', 'scopes');
    for (const { scope_id } of names) scopes.push(await readScope(deployment, tenant, scope_id));
  }
  return {
    scopes,
    events: await readEvents(deployment),
    rows: await countRows(deployment, 'documents'),
    readings: await countRows(deployment, 'readings'),
    streamed,
  };
}

async function readScope(deployment: Deployment, tenant: Tenant, scopeId: string): Promise<ScopeBooks> {
  const documents = await pages(deployment, tenant, `/admin/scopes/${scopeId}/documents?`, 'documents');
  const contradictions = await pages(deployment, tenant, `/api/contradictions?scope_id=${scopeId}&`, 'contradictions');
  const { status, body } = await deployment.asAdmin(`/api/scopes/${scopeId}/summary`, { tenant });
  if (status !== 200) throw new Error(`the summary of ${scopeId} is ${status}`);
  return { tenantId: tenant.id, scopeId, documents, contradictions, summary: body };
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas are checked elsewhere.
async function pages(deployment: Deployment, tenant: Tenant, path: string, list: string): Promise<any[]> {
  const all = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = `${path}limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, body } = await deployment.asAdmin(at, { tenant });
    if (status !== 200) throw new Error(`${at} is ${status}: ${JSON.stringify(body)}`);
    all.push(...body[list]);
    cursor = body.next_cursor;
  }
  return all;
}

async function readEvents(deployment: Deployment): Promise<LoggedEvent[]> {
  const rows = await deployment.ask(
    `select event_id::float8 as id, type, tenant_id as "tenantId", scope_id as "scopeId",
            payload->>'document_id' as "documentId", (payload->>'version')::int as version,
            payload->>'contradiction_id' as "contradictionId"
       from events order by event_id`,
  );
  return rows;
}

async function countRows(deployment: Deployment, table: 'documents' | 'readings'): Promise<Map<string, number>> {
  const rows = await deployment.ask(
    `select tenant_id, scope_id, count(*)::int as n from scopes join ${table} using (scope_key, generation) group by 1, 2`,
  );
  return new Map(rows.map(({ tenant_id, scope_id, n }) => [placeOf(tenant_id, scope_id), n]));
}
