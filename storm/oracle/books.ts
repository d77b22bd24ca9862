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
  /** What scopes count of groups, and what their readings and contradictions say. */
  groups: GroupBooks[];
  /** Ids of events that an outside reader was sent, in the order in which they came; null when none read along. */
  streamed: number[] | null;
}

export interface GroupBooks {
  place: string;
  /** All, shared, and in dispute. */
  counted: number[];
  there: number[];
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
    groups: await readGroups(deployment),
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

async function readGroups(deployment: Deployment): Promise<GroupBooks[]> {
  const rows = await deployment.ask(
    `with said as (
       select scope_key, generation, group_key, count(distinct seq) as documents
         from readings cross join unnest(groups) as said (group_key) group by 1, 2, 3
     ), open as (
       select scope_key, generation, group_key, count(distinct contradiction_id) as disputes
         from contradictions cross join lateral (values (group_a), (group_b)) as side (group_key)
        where origin = 'detected' and status in ('open', 'left_out') group by 1, 2, 3
     )
     select tenant_id, scope_id, array[s.groups, s.groups_shared, s.groups_disputed]::int[] as counted,
            array[count(group_key), count(group_key) filter (where documents > 1 or disputes > 0),
                  count(group_key) filter (where disputes > 0)]::int[] as there
       from scopes s left join said using (scope_key, generation) left join open using (scope_key, generation, group_key)
      group by 1, 2, 3`,
  );
  return rows.map(({ tenant_id, scope_id, counted, there }) => ({
    place: placeOf(tenant_id, scope_id),
    counted,
    there,
  }));
}
