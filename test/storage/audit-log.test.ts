/** A page of the audit log reads what it asks for, and not the rest of the log, whatever Postgres knows of the table. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE, noteDeeds } from '../../src/domain/audit.ts';
import { type AuditSearch, FIRST_PLACE, LAST_PLACE, listAuditAcrossTenants } from '../../src/storage/audit-log.ts';
import type { Database, Queryable } from '../../src/storage/database.ts';
import { mostRowsOf } from '../support/cost.ts';
import { connect, newDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const ROWS = 60_000;

/** A row a second. The first half is one tenant's, by one key, the second one another's; a third has little, at both ends. */
async function fillLog(db: Database): Promise<void> {
  await db.query('alter table audit_log set (autovacuum_enabled = off)');
  await db.query(
    `insert into audit_log (at, action, actor_kind, actor, tenant_id)
     select '2026-01-01'::timestamptz + n * interval '1 second', 'action.' || who, 'operator', 'da_' || who, 'ten_' || who
       from (select n, case when n % ${ROWS - 1} < 3 then 'little' when n <= ${ROWS} / 2 then 'early' else 'late' end as who
               from generate_series(1, ${ROWS}) n) made`,
  );
}

async function ask(db: Database, search: AuditSearch): Promise<{ read: number; found: number }> {
  let found = 0;
  const list = async (watched: Queryable) => {
    found = (await listAuditAcrossTenants(watched, search)).rows.length;
  };
  return { read: await mostRowsOf(db, list, 'audit_log'), found };
}

const LOOK = 500;
const at = (second: number) => ({
  at: new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000).toISOString(),
  audit_id: '0',
});
const search = (more: Partial<AuditSearch>): AuditSearch => ({
  ...{ tenant_id: null, actor: null, action: null, low: FIRST_PLACE, high: LAST_PLACE },
  ...{ isNewestFirst: true, look: LOOK, most: 100, ...more },
});

it.each(['before the first analyze', 'after it'])('%s', async (when) => {
  const db = connect(await newDatabase());
  await db.query(`set time zone 'UTC'`);
  await fillLog(db);
  if (when === 'after it') await db.query('analyze audit_log');
  for (const isNewestFirst of [true, false])
    for (const [more, found] of [
      [{}, 100],
      [{ tenant_id: 'ten_early' }, 100],
      [{ tenant_id: 'ten_late' }, 100],
      [{ actor: 'da_early' }, 100],
      [{ action: 'action.late' }, 100],
      [{ tenant_id: 'ten_nobody' }, 0],
      [{ actor: 'da_nobody' }, 0],
      [{ tenant_id: 'ten_early', actor: 'da_late' }, 0],
      [{ tenant_id: 'ten_late', action: 'action.early' }, 0],
      // Where there is nothing of it.
      [{ tenant_id: 'ten_early', low: at(ROWS / 2 + 100) }, 0],
      [{ actor: 'da_late', high: at(ROWS / 2 - 100) }, 0],
      [{ low: at(ROWS / 2), high: at(ROWS / 2 + 10) }, 10],
      [{ tenant_id: 'ten_late', low: at(ROWS - 1000), high: at(ROWS - 990) }, 10],
    ] as const) {
      const cost = await ask(db, search({ ...more, isNewestFirst }));
      expect([more, cost]).toEqual([more, { read: expect.toSatisfy((n) => n <= LOOK), found }]);
    }
});

it('has its times in the order of commits, whoever began first', async () => {
  const db = connect(await newDatabase());
  const note = (tx: Queryable, subject: string) => noteDeeds(tx, BY_COMMAND_LINE, { action: 'scope.deleted', subject });
  let other: Promise<void> = Promise.resolve();
  let isOtherDone = false;
  const waiting = async () =>
    (
      await db.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows.length;
  await db.transaction(async (tx) => {
    await tx.query('select now()');
    await note(tx, 'first');
    // It waits for the first to be committed, and could not be seen before it.
    other = db
      .transaction((later) => note(later, 'second'))
      .finally(() => {
        isOtherDone = true;
      });
    await until(waiting, (n) => n === 1 || isOtherDone);
    await note(tx, 'first again');
    expect(isOtherDone).toBe(false);
  });
  await other;
  const { rows } = await listAuditAcrossTenants(db, search({ isNewestFirst: false }));
  expect(rows.map(({ subject }) => subject)).toEqual(['first', 'first again', 'second']);
  const times = rows.map((row) => row.at);
  expect(times).toEqual(times.toSorted());
});
