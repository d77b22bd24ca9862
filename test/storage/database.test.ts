/** What becomes of work whose connection Postgres ends. */
import { expect, it } from 'vitest';
import { isUnavailable } from '../../src/errors.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';

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
