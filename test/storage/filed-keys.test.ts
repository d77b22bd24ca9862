/** Keys are filed later than the rest, and what a replica of release 8 has filed at once is taken for what it is. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { connect, newDatabase } from '../support/database.ts';

const READINGS = 60;

const db = connect(await newDatabase());
const { tenant } = await createTenant(db, 'Acme', BY_COMMAND_LINE);
let scopes = 0;

/** Two of the keys are of nearly all, and all others of few. */
async function scopeWith(filed: number, keysFiled: number | null): Promise<string> {
  const { rows } = await db.query<{ scope_key: string }>(
    `insert into scopes (tenant_id, scope_id, name, revision, filed_up_to, keys_filed_up_to) values ($1, $2, $2, 1, $3, $4)
     returning scope_key`,
    [tenant.tenant_id, `s${scopes++}`, filed, keysFiled],
  );
  const key = rows[0]?.scope_key as string;
  await db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values)
     select $1, 1, seq, 'd' || seq, (seq * 7919) % 101, '',
            array(select k from (select 0 union select 1 where seq % 2 = 0 union select 2 + seq % 4) its (k)),
            array[seq % 4], array[seq % 3] from generate_series(0, ${READINGS - 1}) seq`,
    [key],
  );
  return key;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

const countKeys = async (scope: string) =>
  (await db.query<{ count: number }>('select count(*)::int as count from claim_keys where scope_key = $1', [scope]))
    .rows[0]?.count;

const settle = async (scope: string, plan: object, readings: string | null = '[]') => {
  const plans = JSON.stringify([{ lane: scope, generation: 1, revision: 1, ...plan }]);
  await db.query('select write_readings(array[$1::bigint], $2, $3)', [scope, plans, readings]);
};

it('are filed with the rest by a plan that says nothing of them, and as it says by one that does', async () => {
  const [before, now] = [await scopeWith(-1, null), await scopeWith(-1, null)];
  await settle(before, { file: range(0, 10), filed_up_to: 9 });
  await settle(now, { file: range(0, 10), filed_up_to: 9, file_keys: range(0, 4), keys_filed_up_to: 3 });
  expect([await countKeys(before), await countKeys(now)]).toEqual([25, 10]);
  const said = async (scope: string) =>
    (await db.query('select group_key, value_key, seq from claim_evidence where scope_key = $1', [scope])).rows;
  expect(await said(before)).toHaveLength(10);
  expect(await said(now)).toEqual(await said(before));
});

it('are filed, with the rest, by a turn whose documents have all failed', async () => {
  const [read, unread] = [await scopeWith(-1, null), await scopeWith(-1, null)];
  const plan = { file: range(0, 10), filed_up_to: 9, file_keys: range(0, 10), keys_filed_up_to: 9 };
  await settle(read, plan);
  await settle(unread, plan, null);
  expect(await countKeys(unread)).toBe(25);
  expect(await countKeys(unread)).toBe(await countKeys(read));
  const { rows } = await db.query('select from claim_evidence where scope_key = $1', [unread]);
  expect(rows).toHaveLength(10);
});

it('are filed once, however many of them release 8 has left there', async () => {
  const scope = await scopeWith(-1, null);
  const file = (seqs: number[]) => db.query('select file_keys($1, 1, $2)', [scope, seqs]);
  await file(range(5, 10));
  await file(range(0, 20));
  const other = await scopeWith(-1, null);
  await db.query('select file_keys($1, 1, $2)', [other, range(0, 20)]);
  expect(await countKeys(scope)).toBe(await countKeys(other));
});

const COUNTERS = `registered pending queued retrying processed failed superseded claims groups groups_shared groups_disputed
  contradictions_open contradictions_resolved contradictions_deferred contradictions_critical contradictions_left_out`;

it('are not taken for filed because of a past generation, after which the release before has filed', async () => {
  const zeros = Object.fromEntries(COUNTERS.split(/\s+/).map((name) => [name, 0]));
  const upTo = async (scope: string, plan: object) => {
    const plans = JSON.stringify([{ lane: scope, revision: 1, filed_up_to: -1, ...zeros, ...plan }]);
    await db.query('select write_scopes(array[$1::bigint], $2)', [scope, plans]);
    const { rows } = await db.query<{ head: object }>(
      'select scope_head(s) as head from scopes s where scope_key = $1',
      [scope],
    );
    return rows[0]?.head;
  };
  const scope = await scopeWith(-1, 5000);
  expect(await upTo(scope, { filed_up_to: 40 })).toMatchObject({ filed_up_to: 40, keys_filed_up_to: 40 });
  expect(await upTo(scope, { filed_up_to: 50, keys_filed_up_to: 45 })).toMatchObject({ keys_filed_up_to: 45 });
  expect(await upTo(scope, { filed_up_to: 55 })).toMatchObject({ filed_up_to: 55, keys_filed_up_to: 45 });
  // What a deletion writes.
  expect(await upTo(scope, { filed_up_to: -1 })).toMatchObject({ filed_up_to: 55, keys_filed_up_to: 45 });
});
