/** A piece of the log reads what is its reader's, not what belongs to others, whatever Postgres knows of the table. */
import { expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/storage/database.ts';
import { listPieceOfScope, listPieceOfTenant, type PieceOptions } from '../../src/storage/events.ts';
import { mostRowsOf } from '../support/cost.ts';
import { connect, newDatabase } from '../support/database.ts';

const EVENTS = 60_000;

/**
 * The first half of the log is one tenant's, the second one another's; a third has little, at both ends. Who has half of a log is
 * thought to be found at every second look, and in the other half it is nowhere.
 */
async function fillLog(db: Database): Promise<void> {
  await db.query('alter table events set (autovacuum_enabled = off)');
  await db.query(
    `insert into events (type, tenant_id, scope_id, payload)
     select 'document.queued',
            case when n % ${EVENTS - 1} < 3 then 'ten_little' when n <= ${EVENTS} / 2 then 'ten_early' else 'ten_late' end,
            's', '{}'
       from generate_series(1, ${EVENTS}) n`,
  );
}

async function rowsRead(db: Database, ask: (db: Queryable) => Promise<{ rows: unknown[] }>) {
  let found = 0;
  const list = async (watched: Queryable) => {
    found = (await ask(watched)).rows.length;
  };
  return { read: await mostRowsOf(db, list, 'events'), found };
}

const LOOK = 500;
const piece = (after: number): PieceOptions => ({ after: String(after), types: null, look: LOOK, most: 100 });

it.each(['before the first analyze', 'after it'])('%s', async (when) => {
  const db = connect(await newDatabase());
  await fillLog(db);
  if (when === 'after it') await db.query('analyze events');
  for (const [tenantId, after, found] of [
    // Everything that is left belongs to others.
    ['ten_early', EVENTS / 2, 0],
    // Half of the log comes before its first.
    ['ten_late', 0, 100],
    ['ten_late', EVENTS - 1000, 100],
    ['ten_little', 5, 2],
    ['ten_little', EVENTS, 0],
    ['ten_nobody', 0, 0],
  ] as const) {
    for (const ask of [
      (queryable: Queryable) => listPieceOfTenant(queryable, tenantId, null, piece(after)),
      (queryable: Queryable) => listPieceOfTenant(queryable, tenantId, ['s', 'other'], piece(after)),
      (queryable: Queryable) => listPieceOfScope(queryable, tenantId, 's', piece(after)),
    ]) {
      const cost = await rowsRead(db, ask);
      expect([tenantId, after, cost]).toEqual([tenantId, after, { read: expect.toSatisfy((n) => n <= LOOK), found }]);
    }
  }
});

it('of a tenant has its own scopes, those that are asked for, and nothing of no scope', async () => {
  const db = connect(await newDatabase());
  await db.query(
    `insert into events (type, tenant_id, scope_id, payload) values
       ('document.queued', 'ten_a', 'one', '{}'), ('document.queued', 'ten_b', 'one', '{}'),
       ('key.issued', 'ten_a', null, '{}'), ('document.queued', 'ten_a', 'two', '{}'),
       ('scope.reset', 'ten_a', 'one', '{}')`,
  );
  const read = async (scopeIds: string[] | null, types: string[] | null = null) => {
    const { rows } = await listPieceOfTenant(db, 'ten_a', scopeIds, { ...piece(0), types });
    return rows.map(({ event_id }) => Number(event_id));
  };
  expect(await read(null)).toEqual([1, 4, 5]);
  expect(await read(['one'])).toEqual([1, 5]);
  expect(await read(['two', 'three'])).toEqual([4]);
  expect(await read([])).toEqual([]);
  expect(await read(null, ['scope.reset'])).toEqual([5]);
});
