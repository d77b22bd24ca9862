/** What becomes of work whose connection Postgres ends; and what a connection plans only once. */
import { expect, it } from 'vitest';
import { isUnavailable } from '../../src/errors.ts';
import { appendEvents } from '../../src/events/log.ts';
import { openDatabase, prepared } from '../../src/storage/database.ts';
import { shownDate } from '../../src/storage/shown-date.ts';
import { newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';

const TIMEOUT_MS = 200;

/** Without returning to the event loop, as a process that was frozen, or whose clock jumped. */
const freeze = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it.each(['idle_in_transaction_session_timeout', 'transaction_timeout'])(
  'a transaction that met the %s is unavailable, not an error of ours, and the next one has another connection',
  async (setting) => {
    const url = await newDatabase();
    const db = openDatabase({ url, poolSize: 1, timeoutMs: 60_000, onIdleError: () => {} });
    later(() => db.close());
    const isRefused: unknown = await db
      .transaction(async (tx) => {
        await tx.query(`set ${setting} = ${TIMEOUT_MS}`);
        freeze(3 * TIMEOUT_MS);
        await tx.query('select 1');
      })
      .catch(isUnavailable);
    expect(isRefused).toBe(true);
    expect(await db.transaction(async (tx) => (await tx.query('select 2 as two')).rows)).toEqual([{ two: 2 }]);
  },
);

it.each([
  ['2026-11-17 20:19:51+00', '2026-11-17T20:19:51.000Z'],
  ['2026-11-17 20:19:51.1+00', '2026-11-17T20:19:51.100Z'],
  ['2026-11-17 20:19:51.123999+00', '2026-11-17T20:19:51.123Z'],
  ['2026-11-17 20:19:51.5+05:30', '2026-11-17T14:49:51.500Z'],
])('%s is shown as %s', (text, shown) => {
  expect(shownDate(text)).toBe(shown);
});

it('shows a date in the same way, whatever a server is set to', async () => {
  const db = openDatabase({ url: await newDatabase(), poolSize: 1, timeoutMs: 60_000, onIdleError: () => {} });
  later(() => db.close());
  for (const zone of ['UTC', 'Asia/Kolkata']) {
    await db.query(`set timezone = '${zone}'`);
    const { rows } = await db.query(`select timestamptz '2026-11-17T20:19:51.123456Z' as at`);
    expect(rows).toEqual([{ at: '2026-11-17T20:19:51.123Z' }]);
  }
});

it('says that it may be stored when nobody can be asked what became of a commit', async () => {
  const way = new URL(await newDatabase());
  const proxy = await startProxy({ host: way.hostname, port: Number(way.port) });
  way.port = `${proxy.port}`;
  const db = openDatabase({ url: way.href, poolSize: 1, timeoutMs: 5 * TIMEOUT_MS, onIdleError: () => {} });
  later(() => db.close());
  const committed = db.transaction(async (tx) => {
    await appendEvents(tx, [{ type: 'scope.deleted', tenant_id: 't', scope_id: 's', payload: {} }]);
    proxy.down();
  });
  await expect(committed).rejects.toMatchObject({ code: 'unavailable', reason: 'postgres', mayBeStored: true });
  await expect(db.query('select 1')).rejects.toMatchObject({ code: 'unavailable', mayBeStored: false });
});

it('plans once for a connection what was prepared, and what was not for every call', async () => {
  const url = await newDatabase();
  const db = openDatabase({ url, poolSize: 1, timeoutMs: 60_000, onIdleError: () => {} });
  later(() => db.close());
  const often = prepared('twice', 'select $1::int * 2 as twice');
  for (const n of [2, 3, 4]) expect((await db.query(often, [n])).rows).toEqual([{ twice: 2 * n }]);
  expect(await db.transaction(async (tx) => (await tx.query(often, [5])).rows)).toEqual([{ twice: 10 }]);
  await db.query('select $1::int * 3 as thrice', [1]);
  const { rows } = await db.query('select name, generic_plans + custom_plans as calls from pg_prepared_statements');
  expect(rows).toEqual([{ name: 'twice', calls: '4' }]);
});
