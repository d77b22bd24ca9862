/** The node under test, which accepts and streams and does not process, and the streams that it has to offer. */
import { ask, type ChildProcess, endChild, startChild } from '../parts/child.ts';
import { newDatabase, query, type Stores, type Tenant } from '../parts/stores.ts';

const ADMIN_KEY = 'bench-admin-key-of-no-other-use-0000';
const INTERNALS_KEY = 'bench-internals-key-of-no-other-use-0';
const TENANTS = 10;
/** As many as the bodies of the generator are for. */
export const SCOPES = 50;

/** None of these is measured here. */
const UNLIMITED = {
  TENANT_RATE_PER_S: '1000000',
  TENANT_BURST: '10000000',
  TENANT_BYTES_PER_S: '1000000000',
  TENANT_BACKLOG: '1000000000',
  MAX_STREAMS: '10000',
  TENANT_STREAMS: '10000',
};

export interface Usage {
  rss: number;
  /** So far. */
  cpuS: number;
}

/** What to ask for to get a stream. */
export interface Wanted {
  path: string;
  headers: Record<string, string>;
}

export interface EventsNode {
  port: number;
  databaseUrl: string;
  tenants: string[];
  /** So many streams of the scopes, the same number of each. */
  ofScopes(count: number): Wanted[];
  /** So many streams of everything. */
  ofKernel(count: number): Wanted[];
  /** After a collection of garbage. */
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

export async function startNode({ postgresUrl, redisUrl }: Stores, what: string): Promise<EventsNode> {
  const { url, tenants } = await newDatabase(postgresUrl, what, TENANTS);
  // As the generator spreads its bodies over them.
  const scopes = Array.from({ length: SCOPES }, (_, n) => ({
    tenant: tenants[n % TENANTS] as Tenant,
    scopeId: `scope-${n}`,
  }));
  await query(
    url,
    `insert into scopes (tenant_id, scope_id, name, next_seq, created_at)
     select tenant_id, scope_id, scope_id, 0, now() from json_to_recordset($1) as wanted (tenant_id text, scope_id text)`,
    [JSON.stringify(scopes.map(({ tenant, scopeId }) => ({ tenant_id: tenant.id, scope_id: scopeId })))],
  );
  const env = {
    ROLE: 'api',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ADMIN_API_KEYS: ADMIN_KEY,
    INTERNALS_API_KEYS: INTERNALS_KEY,
    ...UNLIMITED,
  };
  const script = new URL('service.ts', import.meta.url);
  const { child, ready } = await startChild<{ url: string }>(script, { env, execArgv: ['--expose-gc'] });
  return nodeOf(child, url, Number(new URL(ready.url).port), scopes);
}

function nodeOf(
  child: ChildProcess,
  databaseUrl: string,
  port: number,
  scopes: { tenant: Tenant; scopeId: string }[],
): EventsNode {
  const ofScope = ({ tenant, scopeId }: (typeof scopes)[number]) => ({
    path: `/admin/scopes/${scopeId}/events`,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'x-tenant-api-key': tenant.key },
  });
  const kernel = { path: '/internals/kernel/events', headers: { authorization: `Bearer ${INTERNALS_KEY}` } };
  return {
    port,
    databaseUrl,
    tenants: scopes.slice(0, TENANTS).map(({ tenant }) => tenant.id),
    ofScopes: (count) =>
      Array.from({ length: count }, (_, n) => ofScope(scopes[n % SCOPES] as (typeof scopes)[number])),
    ofKernel: (count) => Array.from({ length: count }, () => kernel),
    usage: () => ask<Usage>(child, 'usage'),
    end: () => endChild(child),
  };
}
