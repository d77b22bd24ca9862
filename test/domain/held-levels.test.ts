/** What is paused or stopped is listed whole, however much it is, and a page reads about as much as it shows. */
import { expect, it } from 'vitest';
import { listHeldLevels } from '../../src/domain/held-levels.ts';
import { foldStandings } from '../../src/domain/standings.ts';
import { findLaneLoadAcrossTenants } from '../../src/storage/lane-load.ts';
import { mostRowsOf } from '../support/cost.ts';
import { withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';

const service = withVerbs(await startTestService());
const { db } = service;
const [many, large, leaving] = [await service.newTenant(), await service.newTenant(), await service.newTenant()];
const SCOPES = 10_000;
const LANES = 3000;

for (const table of ['scopes', 'documents', 'lanes', 'tenants'])
  await db.query(`alter table ${table} set (autovacuum_enabled = off)`);

/** Scopes of a tenant, each with one document that waits since so many minutes. */
async function insertScopes(tenantId: string, name: string, scopes: number, state: string, minutes: number) {
  await db.query(
    `with made as (
       insert into scopes (tenant_id, scope_id, name, state, next_seq, queued)
       select $1, $2 || n, 'n', $4, 1, 1 from generate_series(1, $3::int) n
       returning tenant_id, scope_id, scope_key, generation, state
     ), documents as (
       insert into documents (scope_key, generation, seq, document_id, version, content_sha256, state, queued_at)
       select scope_key, generation, 0, 'd', 1, '', 'queued', now() - $5 * interval '1 minute' from made
     ), lanes as (
       insert into lanes (scope_key, tenant_id, scope_id, generation, held, ready_at)
       select scope_key, tenant_id, scope_id, generation, state <> 'running', now() - $5 * interval '1 minute' from made
     )
     insert into tenant_turns (tenant_id) select distinct tenant_id from made on conflict do nothing`,
    [tenantId, name, scopes, state, minutes],
  );
}
await insertScopes(many.tenantId, 'held-', SCOPES, 'paused', 60);
await insertScopes(many.tenantId, 'free-', 10, 'running', 5);
await insertScopes(large.tenantId, 'lane-', LANES, 'running', 90);
await insertScopes(leaving.tenantId, 'gone-', 300, 'stopped', 0);
await db.query(`update tenants set state = 'stopped' where tenant_id = $1`, [large.tenantId]);
await db.query(`update tenants set state = 'stopped', deleted_at = now() where tenant_id = $1`, [leaving.tenantId]);
while (await foldStandings(db));

async function listAll(limit: number, tenant_id?: string) {
  const found: Awaited<ReturnType<typeof listHeldLevels>>['levels'] = [];
  let cursor: string | undefined;
  do {
    const page = await listHeldLevels(db, { limit, ...(cursor && { cursor }), ...(tenant_id && { tenant_id }) });
    found.push(...page.levels);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
}

it('lists ten thousand scopes and a tenant once each, and none of a tenant that is deleted', async () => {
  const levels = await listAll(200);
  expect(levels).toHaveLength(SCOPES + 1);
  expect(new Set(levels.map(({ tenant_id, scope_id }) => `${tenant_id}/${scope_id}`)).size).toBe(SCOPES + 1);
  expect(levels.filter(({ level }) => level === 'tenant').map(({ tenant_id }) => tenant_id)).toEqual([large.tenantId]);
  expect(new Set(levels.filter(({ level }) => level === 'scope').map(({ tenant_id }) => tenant_id))).toEqual(
    new Set([many.tenantId]),
  );
});

it('lists those of one tenant, and nothing of one that is not there', async () => {
  expect(await listAll(200, large.tenantId)).toMatchObject([
    { level: 'tenant', tenant_id: large.tenantId, scope_id: null, state: 'stopped' },
  ]);
  expect(await listAll(200, leaving.tenantId)).toEqual([]);
  expect(await listAll(200, 'ten_nobody')).toEqual([]);
});

it('says what each holds back, of a tenant with many lanes up to a number', async () => {
  const [tenant] = await listAll(200, large.tenantId);
  expect(tenant?.holds).toMatchObject({ documents: LANES, lanes: 1000 });
  expect(tenant?.holds.oldest_age_ms).toBeGreaterThanOrEqual(90 * 60_000);
  const scopes = (await listHeldLevels(db, { limit: 50, tenant_id: many.tenantId })).levels;
  for (const { holds } of scopes) expect(holds).toMatchObject({ documents: 1, lanes: 1 });
  expect(Math.min(...scopes.map(({ holds }) => holds.oldest_age_ms ?? 0))).toBeGreaterThanOrEqual(60 * 60_000);
});

it.each(['before', 'after'])(
  'reads about as many rows for a page as it shows, %s the tables are analyzed',
  async (when) => {
    if (when === 'after') await db.query('analyze');
    const limit = 20;
    const { next_cursor } = await listHeldLevels(db, { limit: 200, tenant_id: many.tenantId });
    const ofMany = { tenant_id: many.tenantId };
    for (const place of [ofMany, { ...ofMany, cursor: next_cursor as string }]) {
      const rows = await mostRowsOf(db, (watched) => listHeldLevels(watched, { limit, ...place }));
      expect(rows, JSON.stringify(place)).toBeLessThanOrEqual(5 * (limit + 1));
    }
    for (const place of [{}, { cursor: next_cursor as string }, { tenant_id: large.tenantId }]) {
      const rows = await mostRowsOf(db, (watched) => listHeldLevels(watched, { limit, ...place }));
      // But for the lanes that are counted of a tenant.
      expect(rows, JSON.stringify(place)).toBeLessThanOrEqual(1000 + 2 * limit);
    }
  },
);

it('finds what has waited longest among what is not held, behind thousands of lanes that are', async () => {
  const load = await findLaneLoadAcrossTenants(db);
  expect(load).toMatchObject({ lanes: SCOPES + LANES + 10, held: SCOPES + LANES, in_work: 0 });
  expect(load.backlog).toBe(SCOPES + LANES + 10);
  for (const age of [load.oldest_age_ms, load.longest_wait_ms]) {
    expect(age).toBeGreaterThanOrEqual(5 * 60_000);
    expect(age).toBeLessThan(60 * 60_000);
  }
});

it('counts all of it for the whole runtime', async () => {
  await service.control('pause');
  const [whole] = (await listHeldLevels(db, { limit: 1 })).levels;
  expect(whole).toMatchObject({ level: 'runtime', tenant_id: null, scope_id: null, state: 'paused' });
  expect(whole?.holds).toMatchObject({ documents: SCOPES + LANES + 10, lanes: SCOPES + LANES + 10 });
  expect(whole?.holds.oldest_age_ms).toBeGreaterThanOrEqual(90 * 60_000);
  expect(await findLaneLoadAcrossTenants(db)).toMatchObject({ oldest_age_ms: 0, longest_wait_ms: 0 });
  expect(await listAll(200)).toHaveLength(SCOPES + 2);
  await service.control('resume');
});
