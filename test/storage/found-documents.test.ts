/** Whatever documents are looked for by, a page reads about as much as it shows, or stops after so many rows and goes on there. */
import { describe, expect, it } from 'vitest';
import { findDocuments, type Wanted } from '../../src/domain/found-documents.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { addFailed } from '../support/failed.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, db } = service;
const FAILED = 30_000;
const SCOPES = 6000;
const LIMIT = 20;

const { tenantId } = await service.newTenant();
const other = await service.newTenant();
for (const one of [tenantId, other.tenantId])
  await call('POST', '/api/ingest', { tenantId: one, body: { scope_id: 's', name: 'n', text: 't' } });
await db.query('alter table documents set (autovacuum_enabled = off)');
await db.query('alter table scopes set (autovacuum_enabled = off)');
/** One in a hundred has an error of its own; the newest of all is another tenant's. */
await addFailed(db, { tenantId, scopeId: 's' }, FAILED, {
  error: `case when n % 100 = 0 then 'Rare: ' || n else 'Common: it took too long' end`,
  at: `now() - interval '1 day' + n * interval '1 second'`,
});
await addFailed(db, { tenantId: other.tenantId, scopeId: 's' }, 1, { error: `'Theirs.'` });
// Of a scope that is gone: rows that wait to be purged, the newest of all.
await call('POST', '/api/ingest', { tenantId, body: { scope_id: 'gone', name: 'n', text: 't' } });
await addFailed(db, { tenantId, scopeId: 'gone' }, 5000, { error: `'Gone.'`, at: `now() + interval '1 minute'` });
await db.query(`delete from scopes where tenant_id = $1 and scope_id = 'gone'`, [tenantId]);
// As if all that they had was deleted: only their documents tell that there is none of an id.
await db.query(
  `insert into scopes (tenant_id, scope_id, name, next_seq)
   select $1, 'empty-' || n, 'n', 1 from generate_series(1, ${SCOPES}) n`,
  [tenantId],
);

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** Blocks that all statements of a page touch together, and what it found. */
async function costOf(query: Parameters<typeof findDocuments>[1]) {
  let blocks = 0;
  const watched = {
    query: async (sql: string, values: unknown[]) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const plan = (rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan;
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return db.query(sql, values);
    },
  } as unknown as Queryable;
  return { ...(await findDocuments(watched, query)), blocks: () => blocks };
}

const yesterday = new Date(Date.now() - 20 * 3600_000).toISOString();
const filters: [Wanted, most: number][] = [
  // What an index finds: about as many rows as are shown.
  [{ state: 'failed', error: 'Common' }, 400],
  [{ state: 'failed', error: 'Rare: 1' }, 400],
  [{ state: 'failed', error: 'Common: it took too long' }, 400],
  [{ state: 'failed', error: 'Nobody says so' }, 400],
  [{ state: 'failed', older_than: yesterday }, 400],
  [{ state: 'failed', tenant_id: tenantId, scope_id: 's' }, 600],
  [{ state: 'failed', tenant_id: 'ten_nobody' }, 400],
  [{ state: 'superseded', tenant_id: other.tenantId }, 400],
  [{ document_id: 'f7', tenant_id: tenantId, scope_id: 's' }, 400],
  // What is looked through: 2,000 documents, or as many scopes.
  [{ state: 'failed' }, 12_000],
  [{ state: 'failed', error: 'Common: it took too long, and more than that of it' }, 12_000],
  [{ state: 'failed', error: 'Common', older_than: yesterday }, 12_000],
  [{ state: 'failed', tenant_id: tenantId }, 12_000],
  [{ state: 'failed', tenant_id: tenantId, error: 'Rare' }, 12_000],
  [{ state: 'failed', tenant_id: tenantId, scope_id: 's', error: 'Nobody says so' }, 12_000],
  [{}, 12_000],
  [{ older_than: '2020-01-01T00:00:00Z' }, 12_000],
  [{ state: 'queued' }, 12_000],
  [{ state: 'processing' }, 12_000],
  [{ state: 'queued', error: 'Nobody says so' }, 12_000],
  [{ state: 'processed' }, 12_000],
  [{ document_id: 'f7' }, 12_000],
  [{ document_id: 'nobody-has-it' }, 12_000],
];

it.each(filters)('a page of %j reads no more than it may', async (wanted, most) => {
  // What a connection looks up once, to plan it, is not what a page costs.
  await findDocuments(db, { ...wanted, limit: LIMIT });
  const first = await costOf({ ...wanted, limit: LIMIT });
  expect(first.blocks()).toBeLessThan(most);
  if (first.next_cursor === null) return;
  const next = await costOf({ ...wanted, limit: LIMIT, cursor: first.next_cursor });
  expect(next.blocks()).toBeLessThan(most);
});

/** All pages of a filter; there are no more of them than there may be. */
async function allOf(wanted: Wanted, limit = 200) {
  const found: { tenant_id: string; seq: number; error: string | null; finished_at: string | null }[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; pages++) {
    const page = await findDocuments(db, { ...wanted, limit, ...(cursor && { cursor }) });
    found.push(...page.documents);
    if (page.next_cursor === null) return { found, pages };
    expect(pages).toBeLessThan(300);
    cursor = page.next_cursor;
  }
}

describe('all pages together have each document once', () => {
  it.each([
    [{ state: 'failed' }, FAILED + 1],
    [{ state: 'failed', error: 'Rare' }, FAILED / 100],
    [{ state: 'failed', error: 'Rare: 12' }, 11],
    [{ error: 'Common: it took too long' }, FAILED - FAILED / 100],
    [{ state: 'failed', error: 'Gone' }, 0],
    [{ state: 'failed', tenant_id: tenantId }, FAILED],
    [{ state: 'failed', tenant_id: other.tenantId }, 1],
    [{ state: 'failed', tenant_id: tenantId, scope_id: 'empty-1' }, 0],
    [{ tenant_id: tenantId, error: 'Rare' }, FAILED / 100],
    [{ state: 'queued' }, 2],
    [{ state: 'processed' }, 0],
    [{ document_id: 'f1' }, 2],
    [{ document_id: 'f1', error: 'Theirs' }, 1],
    [{ document_id: 'f1', state: 'queued' }, 0],
    [{ document_id: 'f7' }, 1],
    [{ document_id: 'f7', tenant_id: other.tenantId }, 0],
    [{}, FAILED + 3],
  ] as [Wanted, number][])('%j', async (wanted, count) => {
    const { found } = await allOf(wanted);
    expect(found).toHaveLength(count);
    expect(new Set(found.map(({ tenant_id, seq }) => `${tenant_id} ${seq}`)).size).toBe(count);
  });

  it('the newest failure first, and error by error where one is looked for', async () => {
    const { found } = await allOf({ state: 'failed' });
    expect(found[0]).toMatchObject({ tenant_id: other.tenantId, error: 'Theirs.' });
    const times = found.map(({ finished_at }) => Date.parse(String(finished_at)));
    expect(times).toEqual([...times].sort((one, two) => two - one));
    const errors = (await allOf({ error: 'Rare' }, 7)).found.map(({ error }) => error);
    expect(errors).toEqual([...errors].sort().reverse());
  });

  it('of two that failed at the same moment, too', async () => {
    const third = await service.newTenant();
    await call('POST', '/api/ingest', { tenantId: third.tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
    await addFailed(db, { tenantId: third.tenantId, scopeId: 's' }, 50, { error: `'At once.'`, at: `now()` });
    expect((await allOf({ error: 'At once.' }, 3)).found).toHaveLength(50);
    await db.query(`update tenants set deleted_at = now() where tenant_id = $1`, [third.tenantId]);
    expect((await allOf({ error: 'At once.' }, 3)).found).toHaveLength(0);
  });
});

it('a letter of many bytes, a quote and a percent sign stand for themselves', async () => {
  const odd = await service.newTenant();
  await call('POST', '/api/ingest', { tenantId: odd.tenantId, body: { scope_id: 's', name: 'n', text: 't' } });
  const error = `${'🙂'.repeat(60)}%_'"`;
  await addFailed(db, { tenantId: odd.tenantId, scopeId: 's' }, 5, { error: `'${error.replaceAll("'", "''")}'` });
  for (const prefix of [error, '🙂', '🙂'.repeat(50), '🙂'.repeat(51)])
    expect((await allOf({ error: prefix }, 2)).found).toHaveLength(5);
  expect((await allOf({ error: '%' })).found).toHaveLength(0);
  expect((await allOf({ error: '_' })).found).toHaveLength(0);
});
