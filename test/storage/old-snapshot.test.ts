/** While somebody holds an old snapshot, as pg_dump does, each change of a scope leaves a version of its row behind. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import type { Queryable } from '../../src/storage/database.ts';
import { findScope, lockScopesAcrossTenants, updateScopeCounters } from '../../src/storage/scopes.ts';
import { connect, newDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** A page has room for some twenty versions of a row. */
const CHANGES = 2000;
const FEW_PAGES = 40;

const db = connect(await newDatabase());
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);
const { rows } = await db.query<{ scope_key: string }>(
  `insert into scopes (tenant_id, scope_id, name) values ($1, 's', 's') returning scope_key`,
  [tenant.tenant_id],
);
const key = rows[0]?.scope_key;
const plan = { lane: key, revision: 0, registered: 0, pending: 0, queued: 0, retrying: 0, processed: 1, failed: 0 };
const changed = { superseded: 0, claims: 0, groups: 0, groups_shared: 0, groups_disputed: 0, filed_up_to: -1 };
const contradictions = Object.fromEntries(
  ['open', 'resolved', 'deferred', 'critical', 'left_out'].map((status) => [`contradictions_${status}`, 0]),
);
const plans = JSON.stringify([{ ...plan, ...changed, ...contradictions }]);

const accept = `select add_to_scopes(array['${tenant.tenant_id}'], array['s'], array[1], array['pending'], array[0], array[false])`;
const settle = `select write_scopes(array[${key}], '${plans}')`;

interface Explained {
  'QUERY PLAN': [{ Plan: Record<`Shared ${'Hit' | 'Read'} Blocks`, number> }];
}

/** How many pages of tables and indexes it reads; not the first two times, in which a connection reads others to plan it. */
async function pagesOf(act: (tx: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const query = async (tx: Queryable, sql: string, values?: unknown[]) => {
    const { rows } = await tx.query<Explained>(`explain (analyze, buffers, format json) ${sql}`, values);
    const [{ Plan: read }] = (rows[0] as Explained)['QUERY PLAN'];
    pages += read['Shared Hit Blocks'] + read['Shared Read Blocks'];
    return { rows: [] };
  };
  await db.transaction(async (tx) => {
    for (let n = 0; n < 2; n++) await act(tx);
    await act({ query: (sql: string, values?: unknown[]) => query(tx, sql, values) } as unknown as Queryable);
  });
  return pages;
}

it('costs no more for that to find its scope, to lock it and to change it', async () => {
  await db.transaction(async (holder) => {
    await holder.query('set transaction isolation level repeatable read');
    await holder.query('select from scopes');
    for (let n = 0; n < CHANGES / 2; n++) {
      await db.query(accept);
      await db.query(settle);
    }
    // It takes no version away, and tells Postgres of a large table with one row, which other plans might seem to be better for.
    await db.query('vacuum analyze scopes');
    const pages: Record<string, number> = {};
    const scope = { tenant_id: tenant.tenant_id, scope_id: 's', scope_key: `${key}`, generation: 1 };
    for (const [what, act] of Object.entries({
      'lock what was sent before': (tx: Queryable) => lockScopesAcrossTenants(tx, [scope]),
      'count what was sent before': (tx: Queryable) => updateScopeCounters(tx, [{ scope_key: scope.scope_key }]),
    }))
      pages[what] = await pagesOf(act);
    for (const [what, sql] of Object.entries({
      accept,
      settle,
      lock: `select lock_scopes(array[${key}], 100)`,
      'lock, if it is free': `select lock_free_scopes(array['${tenant.tenant_id}'], array['s'])`,
      awaken: `select awaken_lanes(array[${key}])`,
      'end a turn': `select free_lanes(array[${key}]::bigint[], '[{"lane": ${key}, "done": 1}]')`,
      'what a turn knows': `select list_readings_since(array[${key}], array[0], array[-1], 1)`,
    }))
      pages[what] = await pagesOf((tx) => tx.query(sql));
    expect(Object.entries(pages).filter(([, read]) => read > FEW_PAGES)).toEqual([]);
    expect(await findScope(db, tenant.tenant_id, 's')).toMatchObject({ scope_key: key });
  });
  const { rows } = await db.query('select pending::int, processed::int, revision::int, next_seq::int from scopes');
  // Each was counted three times more while its pages were.
  expect(rows).toEqual([{ pending: 1003, processed: 1003, revision: 1003, next_seq: 1003 }]);
});

it('is accepted into it when somebody else has it locked, changes it and lets it go', async () => {
  const { rows: before } = await db.query<{ next_seq: number }>('select next_seq::int from scopes');
  let accepted: Promise<{ rows: { firsts: string[] }[] }> | null = null;
  await db.transaction(async (other) => {
    await other.query('update scopes set recency = recency + 1, registered = registered + 1, next_seq = next_seq + 1');
    accepted = db.query(accept.replace('select', 'select firsts from'));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(
      () => db.query(waiting),
      ({ rows }) => rows.length > 0,
    );
  });
  expect((await (accepted as unknown as Promise<{ rows: unknown[] }>)).rows).toEqual([
    { firsts: [`${(before[0]?.next_seq ?? 0) + 1}`] },
  ]);
});
