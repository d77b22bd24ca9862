/** What those look at who wait costs the same however much a scope holds, and whatever Postgres knows of its tables. */
import { expect, it } from 'vitest';
import { listAwaitedDocuments, listAwaitedScopes } from '../../src/storage/awaited.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { findScopeFigures } from '../../src/storage/scope-figures.ts';
import { startTestService } from '../support/service.ts';

const { call, db, newTenant } = await startTestService();
const { tenantId } = await newTenant();
for (const table of ['documents', 'document_contents'])
  await db.query(`alter table ${table} set (autovacuum_enabled = off)`);

const DONE = 8000;
const WAITING = 2000;
/** Of one document, most of them superseded; then those that are queued, of which every tenth waits to be tried again. */
await call('POST', '/api/documents', { tenantId, body: { scope_id: 's', name: 'n', text: 't', document_id: 'first' } });
await db.query(
  `insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256, not_before)
   select scope_key, generation, n, case when n < ${DONE} then 'hot' else 'd' || n end, case when n < ${DONE} then n else 1 end,
          case when n < ${DONE - 1} then 'superseded' when n < ${DONE} then 'processed' when n % 10 = 9 then 'retrying'
               else 'queued' end, '', now()
     from scopes, generate_series(1, ${DONE + WAITING - 1}) n where tenant_id = $1`,
  [tenantId],
);
await db.query(
  `insert into document_contents (scope_key, generation, seq, name, type)
   select scope_key, generation, seq, 'n', 'txt' from documents where seq > 0`,
);
await db.query(
  `update scopes set next_seq = ${DONE + WAITING}, queued = ${WAITING - WAITING / 10}, retrying = ${WAITING / 10},
     queued_from = ${DONE} where tenant_id = $1`,
  [tenantId],
);

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

async function costOf<Result>(ask: (db: Queryable) => Promise<Result>) {
  let cost = { rows: 0, blocks: 0 };
  const watched = {
    query: async (sql: string, values: unknown[]) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const plan = (rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan;
      cost = { rows: mostRows(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
      return db.query(sql, values);
    },
  } as unknown as Queryable;
  const result = await ask(watched);
  return { ...cost, result };
}

function mostRows(plan: Plan): number {
  const read = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return Math.max(read, ...(plan.Plans ?? []).map(mostRows));
}

const scopeUpTo = async (through: number | null) => {
  const { rows, blocks, result } = await costOf((watched) =>
    listAwaitedScopes(watched, tenantId, [{ scope_id: 's', through }]),
  );
  expect(rows).toBeLessThan(10);
  expect(blocks).toBeLessThan(100);
  return result[0];
};
const settledThrough = async () => {
  const { rows, blocks, result } = await costOf((watched) => findScopeFigures(watched, tenantId, 's'));
  expect(rows).toBeLessThan(10);
  expect(blocks).toBeLessThan(100);
  return result?.settled_through;
};

it('finds how far a scope is settled, and the last document that is not done, by a look', async () => {
  expect(await settledThrough()).toBe(DONE - 1);
  const last = DONE + WAITING - 1;
  expect(await scopeUpTo(null)).toMatchObject({ through: last, seq: last, document_id: `d${last}` });
  expect(await scopeUpTo(DONE + 4)).toMatchObject({ seq: DONE + 4, document_id: `d${DONE + 4}` });
  expect(await scopeUpTo(DONE - 1)).toMatchObject({ seq: null, document_id: null });
  expect(await scopeUpTo(999_999_999_999_999)).toMatchObject({ next_seq: last + 1, seq: last });
});

it('finds a version among thousands, the newest and one that was pinned, and tells none from a gap', async () => {
  const wanted = (version: number | null, document_id = 'hot') => ({ scope_id: 's', document_id, version });
  const asked = [
    wanted(null),
    wanted(3),
    wanted(DONE + 5),
    wanted(null, 'nowhere'),
    { ...wanted(null), scope_id: 'x' },
  ];
  const { rows, blocks, result } = await costOf((watched) => listAwaitedDocuments(watched, tenantId, asked));
  expect(rows).toBeLessThan(50);
  expect(blocks).toBeLessThan(200);
  expect(result.map((found) => found && (found.document?.version ?? null))).toEqual([DONE - 1, 3, null, null, null]);
  expect(result.map((found) => found === null)).toEqual([false, false, false, false, true]);
});

it('walks past nothing that was done since the last vacuum', async () => {
  await db.query(`update documents set state = 'processed' where state in ('queued', 'retrying')`);
  await db.query(`update scopes set queued = 0, retrying = 0, queued_from = next_seq where tenant_id = $1`, [tenantId]);
  expect(await settledThrough()).toBe(DONE + WAITING - 1);
  expect(await scopeUpTo(null)).toMatchObject({ seq: null });
});
