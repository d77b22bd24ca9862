/** After a crash Postgres gives ids again that it had given to transactions of which nothing reached the disk. */
import { expect, it } from 'vitest';
import { appendEvents } from '../../src/events/log.ts';
import { openDatabase, type Transaction } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrate.ts';
import type { Witness } from '../../src/storage/unknown-commit.ts';
import { later } from '../support/later.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';

const EVENT = { type: 'scope.deleted', tenant_id: 't', scope_id: 's', payload: {} } as const;
const TRIES = 20;

it.runIf(process.platform === 'linux')(
  'what was lost is not taken for what another has committed',
  async () => {
    const postgres = await startOwnPostgres();
    const open = () => {
      const db = openDatabase({ url: postgres.url, poolSize: 2, timeoutMs: 60_000, onIdleError: () => {} });
      later(() => db.close());
      return db;
    };
    const [db, another] = [open(), open()];
    await migrate(postgres.url);
    const write = async (tx: Transaction): Promise<string> => {
      await appendEvents(tx, [EVENT]);
      return (tx.witness as Witness).xid;
    };
    let isGivenAgain = false;
    for (let tries = 1; !isGivenAgain && tries <= TRIES; tries++) {
      const xids: string[] = [];
      const lost = db.transaction(async (tx) => {
        xids.push(await write(tx));
        await postgres.crash();
        await postgres.start();
        xids.push(await another.transaction(write));
      });
      await expect(lost).rejects.toMatchObject({ code: 'unavailable', mayBeStored: false });
      isGivenAgain = xids[0] === xids[1];
    }
    // A crash after which the id was lost, too, would have shown nothing.
    expect(isGivenAgain).toBe(true);
  },
  120_000,
);
