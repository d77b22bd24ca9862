/** A page of contradictions reads about as many rows as it shows, whatever it is filtered by, and whatever Postgres knows of the table. */
import { expect, it } from 'vitest';
import { type ContradictionFilter, listContradictions } from '../../src/storage/contradiction-lists.ts';
import { findConvergence } from '../../src/storage/convergence.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { findScope, type ScopeHandle } from '../../src/storage/scopes.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, db } = service;
const { tenantId } = await service.newTenant();
for (const scope_id of ['s', 'other'])
  await call('POST', '/api/contradictions', { tenantId, body: { scope_id, claim_a: 'a', claim_b: 'b' } });
const scope = (await findScope(db, tenantId, 's')) as ScopeHandle;

const ROWS = 6000;
const LIMIT = 10;
/** Detected ones of two documents, of which most are left out, and reports of the same documents; nearly all alike. */
await db.query('alter table contradictions set (autovacuum_enabled = off)');
await db.query('alter table report_documents set (autovacuum_enabled = off)');
await db.query(
  `insert into contradictions (contradiction_id, scope_key, generation, pair_sha256, claim_a, claim_b, document_ids, subject,
     severity, status, origin, document_a, document_b, seq_a, seq_b, span_a, span_b, group_a, group_b, value_a, value_b, precedence)
   select 'con_d' || n, $1, $2, sha256(n::text::bytea), 'a', 'b', array['hot', 'cold'], 'lease', 'low',
          case when n % 3 = 0 then 'resolved' else 'left_out' end, 'detected',
          case when n % 2 = 0 then 'hot' else 'cold' end, case when n % 2 = 0 then 'cold' else 'hot' end,
          0, 1, '{0,1}', '{0,1}', 1, 2, 3, 4, n
     from generate_series(1, ${ROWS}) n`,
  [scope.scope_key, scope.generation],
);
await db.query(
  `insert into contradictions (contradiction_id, scope_key, generation, pair_sha256, claim_a, claim_b, document_ids, severity,
     status, origin)
   select 'con_r' || n, $1, $2, sha256((-n)::text::bytea), 'a', 'b', array['hot', 'hot'], 'low', 'deferred', 'reported'
     from generate_series(1, ${ROWS}) n`,
  [scope.scope_key, scope.generation],
);

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Node Type': string;
  Plans?: Plan[];
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** How many blocks a statement touches, and the most rows that a part of it has read. */
async function costOf(ask: (db: Queryable) => Promise<unknown>) {
  const costs: { rows: number; blocks: number }[] = [];
  const watched = {
    query: async (sql: string, values: unknown[]) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const plan = (rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan;
      costs.push({ rows: mostRows(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] });
      return db.query(sql, values);
    },
  } as unknown as Queryable;
  await ask(watched);
  return costs[0] as (typeof costs)[number];
}

function mostRows(plan: Plan): number {
  const read =
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
    plan['Actual Loops'];
  return Math.max(read, ...(plan.Plans ?? []).map(mostRows));
}

const filters: ContradictionFilter[] = [
  {},
  { status: 'open' },
  { status: 'resolved' },
  { severity: 'low' },
  { severity: 'critical' },
  { severity: 'low', status: 'deferred' },
  { subject: 'lease' },
  { subject: 'nothing' },
  { document_id: 'hot' },
  { document_id: 'cold', severity: 'critical' },
  { document_id: 'nowhere' },
  { document_id: 'hot', subject: 'lease', status: 'open' },
];

it.each(filters)('reads no more of 12,000 for %j', async (filter) => {
  for (const isNewestFirst of [false, true])
    for (const middle of [false, true]) {
      const { rows } = await db.query<{ after: string }>(
        `select ordinal as after from contradictions where contradiction_id = 'con_r${ROWS / 2}'`,
      );
      const begin = isNewestFirst ? '9223372036854775807' : '0';
      const after = middle ? (rows[0]?.after ?? '') : begin;
      const cost = await costOf((watched) =>
        listContradictions(watched, scope, filter, { after, isNewestFirst, limit: LIMIT }),
      );
      // Up to nine parts of a page, each of which has its limit.
      expect(cost.rows, JSON.stringify({ isNewestFirst, middle })).toBeLessThanOrEqual(9 * LIMIT);
      expect(cost.blocks).toBeLessThan(300);
    }
});

it('finds what blocks convergence as cheaply', async () => {
  const { rows, blocks } = await costOf((watched) => findConvergence(watched, scope));
  expect(rows).toBeLessThan(100);
  expect(blocks).toBeLessThan(300);
});
