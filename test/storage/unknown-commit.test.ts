/** What is told of a commit whose answer never came. */
import { expect, it } from 'vitest';
import { appendEvents } from '../../src/events/log.ts';
import { openDatabase, type Transaction } from '../../src/storage/database.ts';
import type { Witness } from '../../src/storage/unknown-commit.ts';
import { connect, newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';

const EVENT = { type: 'scope.deleted', tenant_id: 't', scope_id: 's', payload: {} } as const;

const write = async (tx: Transaction): Promise<Witness> => {
  await appendEvents(tx, [EVENT]);
  return tx.witness as Witness;
};

/** A database of which one goes by a proxy that loses commits, and another past it. */
async function twoWays(timeoutMs = 60_000) {
  const url = await newDatabase();
  const way = new URL(url);
  const proxy = await startProxy({ host: way.hostname, port: Number(way.port) });
  way.port = `${proxy.port}`;
  const db = openDatabase({ url: way.href, poolSize: 2, timeoutMs, onIdleError: () => {} });
  later(() => db.close());
  return { db, straight: connect(url), proxy };
}

it('is not asked for where nothing was told', async () => {
  const { straight } = await twoWays();
  // On a connection that has never written an event.
  const witness = await straight.transaction(async (tx) => {
    await appendEvents(tx, []);
    return tx.witness;
  });
  expect(witness).toBeUndefined();
});

it('is committed when only the answer was lost', async () => {
  const { db, straight, proxy } = await twoWays();
  proxy.cutAfterSending('commit');
  const { event_id } = await db.transaction(write);
  expect(proxy.cuts()).toBe(1);
  const { rows } = await straight.query('select event_id from events');
  expect(rows).toEqual([{ event_id }]);
});

it.each<[string, (witness: Witness, others: Witness) => Partial<Witness>]>([
  ['the server never got it', () => ({})],
  ['it crashed, and has not given the id again', ({ xid }) => ({ xid: `${BigInt(xid) + 1_000_000n}` })],
  ['it crashed, and another has the id', (_, { xid }) => ({ xid })],
  ['it crashed, and others have the id and the place in the log', (_, { xid, event_id }) => ({ xid, event_id })],
])('is not committed when %s', async (_, changed) => {
  const { db, straight, proxy } = await twoWays();
  const others = await straight.transaction(write);
  proxy.cutInsteadOfSending('commit');
  const lost = db.transaction(async (tx) => {
    const witness = await write(tx);
    tx.witness = { ...witness, ...changed(witness, others) };
  });
  await expect(lost).rejects.toMatchObject({ code: 'unavailable', reason: 'postgres', mayBeStored: false });
  expect((await straight.query('select event_id from events')).rows).toEqual([{ event_id: others.event_id }]);
});

it('may be stored when the log was trimmed meanwhile', async () => {
  const { db, straight, proxy } = await twoWays(1000);
  const others = await straight.transaction(write);
  await straight.query('delete from events');
  proxy.cutInsteadOfSending('commit');
  const lost = db.transaction(async (tx) => {
    const witness = await write(tx);
    tx.witness = { ...witness, xid: others.xid };
    await straight.query('update event_log set trimmed_up_to = $1', [witness.event_id]);
  });
  await expect(lost).rejects.toMatchObject({ code: 'unavailable', mayBeStored: true });
});
