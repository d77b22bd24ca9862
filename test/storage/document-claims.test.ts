/** The reading of a document is found by a few looks, however many versions were superseded, and however many wait. */
import { expect, it } from 'vitest';
import { findReading } from '../../src/storage/document-claims.ts';
import { findScope, type ScopeHandle } from '../../src/storage/scopes.ts';
import { withVerbs } from '../support/kernel.ts';
import { addOlderVersions } from '../support/many-versions.ts';
import { startTestService } from '../support/service.ts';

const MANY = 5000;
const service = withVerbs(await startTestService({ settings: { ROLE: 'all' } }));
const { db } = service;
const tenant = await service.newTenant();
await db.query('alter table documents set (autovacuum_enabled = off)');
for (const document_id of ['d', 'other']) await service.ingest(tenant, 's', 'The fee is €50.', { document_id });
await service.processed(tenant, 's', 2);
const scope = (await findScope(db, tenant.tenantId, 's')) as ScopeHandle;

const blocksOf = async (sql: string, values: unknown[]) => {
  const { rows } = await db.query(`explain (analyze, buffers, format json) ${sql}`, values);
  const { Plan } = (rows[0] as { 'QUERY PLAN': [{ Plan: Record<string, number> }] })['QUERY PLAN'][0];
  return (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
};

async function find() {
  let blocks = 0;
  const watched = Object.assign(Object.create(db), {
    query: async (sql: string, values: unknown[]) => {
      blocks = await blocksOf(sql, values);
      return db.query(sql, values);
    },
  });
  return { reading: await findReading(watched, scope, 'd'), blocks };
}

it('between those that were superseded and those that wait', async () => {
  const before = await find();
  expect(before.reading).toMatchObject({ version: 1 });
  await addOlderVersions(db, { tenantId: tenant.tenantId, scopeId: 's', documentId: 'd' }, MANY);
  await db.query(
    `insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
     select $1, $2, 100000 + n, 'd', $3 + n, 'pending', '' from generate_series(2, $3) n`,
    [scope.scope_key, scope.generation, MANY],
  );
  const after = await find();
  expect(after.reading).toEqual({ ...before.reading, version: MANY + 1 });
  expect(after.blocks).toBeLessThan(200);
});

it('is none where nothing is processed yet', async () => {
  await db.query(`update documents set state = 'pending' where document_id = 'd' and version = $1`, [MANY + 1]);
  expect((await find()).reading).toBeNull();
});
