/** Several processes over one Postgres and one queue, and what a test asks of them. */
import { randomBytes } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { expect, onTestFinished } from 'vitest';
import type { HatcherySnapshot } from '../../src/contract/kernel.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { Database } from '../../src/storage/database.ts';
import type { QueueBackend } from '../support/backends.ts';
import { connect, newDatabase } from '../support/database.ts';
import { call, type Started, startService, stop } from '../support/process.ts';
import { until } from '../support/until.ts';

const LEASE_MS = 2000;
const SCOPES = 20;
const key = (tier: string) => `${tier}-${randomBytes(24).toString('hex')}`;

type Snapshot = Static<typeof HatcherySnapshot>;

export interface Replica extends Started {
  url: string;
}

export interface Cluster {
  db: Database;
  apis: Replica[];
  workers: Replica[];
  admin: string;
  internals: string;
  tenantId: string;
  tenantKey: string;
}

/** One process for each role. */
export async function startCluster(
  backend: QueueBackend,
  roles: readonly ('api' | 'worker' | 'all')[],
): Promise<Cluster> {
  const databaseUrl = await newDatabase();
  const db = connect(databaseUrl);
  const [admin, internals] = [key('admin'), key('internals')];
  const settings = backend.settings();
  const start = async (ROLE: string): Promise<Replica> => {
    const started = startService({
      ...settings,
      ROLE,
      DATABASE_URL: databaseUrl,
      LANE_LEASE_MS: `${LEASE_MS}`,
      ADMIN_API_KEYS: admin,
      INTERNALS_API_KEYS: internals,
      TENANT_RATE_PER_S: '100000',
      TENANT_BURST: '100000',
      TENANT_BYTES_PER_S: '1000000000',
      TENANT_LANES: '100',
    });
    // At the end of the test, not of the file: the next one is to have the machine to itself.
    onTestFinished(async () => {
      await stop(started, 'SIGKILL');
    });
    return { ...started, url: await started.listening };
  };
  const replicas = await Promise.all(roles.map(start));
  const { tenant, key: tenantKey } = await createTenant(db, 'tenant', BY_COMMAND_LINE);
  return {
    db,
    apis: replicas.filter((_, n) => roles[n] !== 'worker'),
    workers: replicas.filter((_, n) => roles[n] !== 'api'),
    admin,
    internals,
    tenantId: tenant.tenant_id,
    tenantKey,
  };
}

/** So many documents over the scopes, through both api nodes. Returns how many were accepted. */
export async function post({ apis, tenantId }: Cluster, n: number, size: number): Promise<number> {
  const text = 'The lease runs for three years from March. '.repeat(Math.ceil(size / 43)).slice(0, size);
  const batches = Array.from({ length: n / 50 }, (_, batch) =>
    Array.from({ length: 50 }, (_, at) => ({ scope_id: `scope-${(batch * 50 + at) % SCOPES}`, name: 'n', text })),
  );
  const answers = await Promise.all(
    batches.map(async (documents, batch) => {
      const response = await fetch(`${apis[batch % 2]?.url}/api/ingest/batch`, {
        method: 'POST',
        headers: { 'x-tenant-id': tenantId, 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      });
      return ((await response.json()) as { results: { status: number }[] }).results;
    }),
  );
  return answers.flat().filter(({ status }) => status === 202).length;
}

export async function processedOf({ db }: Cluster): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select coalesce(sum(processed), 0)::int as n from scopes');
  return rows[0]?.n ?? 0;
}

/**
 * With so many waiting that every worker is in the middle of them for a while: they are long to read, some 4 ms of CPU
 * each.
 */
export async function getBusy(cluster: Cluster, n: number): Promise<void> {
  const [{ url }] = cluster.apis as [Replica];
  await call(url, '/admin/runtime/pause', cluster.admin, {});
  await post(cluster, n, 20_000);
  await call(url, '/admin/runtime/resume', cluster.admin, {});
  await until(
    () => processedOf(cluster),
    (processed) => processed > n / 10,
  );
}

export async function snapshotOf({ internals }: Cluster, { url }: Replica): Promise<Snapshot> {
  return (await call(url, '/internals/kernel/hatchery/snapshot', internals)).body;
}

/** Documents that its workers settled. */
export async function doneBy(cluster: Cluster, replica: Replica): Promise<number> {
  const { workers } = await snapshotOf(cluster, replica);
  return workers.reduce((sum, { documents }) => sum + documents, 0);
}

/** How many lanes. */
export async function heldBy({ db }: Cluster, node: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>("select count(*)::int as n from lanes where holder like $1 || '-%'", [
    node,
  ]);
  return rows[0]?.n ?? 0;
}

/** Waits until a node holds lanes, however quickly it is done with them. Returns how many documents were posted for it. */
export async function untilHeldBy(cluster: Cluster, node: string, posted: number): Promise<number> {
  let all = posted;
  await until(
    async () => {
      if ((await processedOf(cluster)) === all) all += await post(cluster, posted, 20_000);
      return heldBy(cluster, node);
    },
    (held) => held > 0,
  );
  return all;
}

/** The visible effect: one event for each document, in the order of each scope, and counters that agree with the rows. */
export async function expectOnce({ db }: Cluster, n: number): Promise<void> {
  const { rows } = await db.query(
    `select count(*)::int as events, count(distinct (scope_id, payload->>'seq'))::int as documents,
            (select count(*)::int from documents where state = 'processed') as rows,
            (select sum(processed)::int from scopes) as counted,
            (select sum(queued + retrying + failed)::int from scopes) as rest,
            (select count(*)::int from lanes) as lanes,
            bool_and(in_order) as in_order
       from (select scope_id, payload,
                    (payload->>'seq')::int > lag((payload->>'seq')::int, 1, -1)
                      over (partition by scope_id order by event_id) as in_order
               from events where type = 'document.processed') e`,
  );
  expect(rows[0]).toEqual({ events: n, documents: n, rows: n, counted: n, rest: 0, lanes: 0, in_order: true });
}
