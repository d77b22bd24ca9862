/** Keys that are filed later than the rest are found all the same by a replica of the release before, which files both at once. */
import { expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { connect, newDatabase } from '../support/database.ts';

const READINGS = 60;
const KEYS = [0, 1, 2, 3, 4, 5, 99];

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
const fileKeys = (scope: string, from: number, to: number) =>
  db.query('select file_keys($1, 1, $2)', [scope, range(from, to)]);

async function postings(name: string, scope: string, lowest: number, keys = KEYS) {
  const same = <Value>(value: Value) => keys.map(() => value);
  const { rows } = await db.query<{ found: unknown }>(`select ${name}($1, $2, $3, $4, 16, $5) as found`, [
    ...[same(scope), same(1), keys, same(lowest), same(18)],
  ]);
  return rows[0]?.found;
}

const countKeys = async (scope: string) =>
  (await db.query<{ count: number }>('select count(*)::int as count from claim_keys where scope_key = $1', [scope]))
    .rows[0]?.count;

it('are looked for among the readings, too', async () => {
  for (const lowest of [-1, 50, 1000]) {
    const scope = await scopeWith(49, 19);
    await fileKeys(scope, 0, 20);
    // As the release before files what comes late: its keys as well.
    await fileKeys(scope, 30, 32);
    const found = await postings('list_postings_of_lanes', scope, lowest);
    await fileKeys(scope, 0, 50);
    expect(found).toEqual(await postings('list_first_postings', scope, lowest));
    expect(found).toEqual(await postings('list_postings_of_lanes', scope, lowest));
  }
});

it('are looked for at once, however many there are', async () => {
  const scope = await scopeWith(0, 0);
  const readings = 2000;
  await db.query(
    `insert into readings (scope_key, generation, seq, document_id, document_hash, claims, keys, groups, group_values)
     select $1, 1, seq, 'd' || seq, seq % 101, '', array(select n * 100003 + seq from generate_series(1, 40) n) || seq % 10, '{}', '{}'
       from generate_series(${READINGS}, ${READINGS + readings - 1}) seq`,
    [scope],
  );
  await db.query('update scopes set filed_up_to = $2 where scope_key = $1', [scope, READINGS + readings - 1]);
  const began = performance.now();
  const found = (await postings('list_postings_of_lanes', scope, -1, range(0, 8000))) as unknown[];
  // It took seven seconds to hold each of the one against each of the other; now a tenth of one.
  expect(performance.now() - began).toBeLessThan(2500);
  expect(found).toHaveLength(10);
});

it('are filed with the rest by a plan that says nothing of them, and as it says by one that does', async () => {
  const settle = async (scope: string, plan: object) => {
    const plans = JSON.stringify([{ lane: scope, generation: 1, revision: 1, ...plan }]);
    await db.query('select write_readings(array[$1::bigint], $2, $3)', [scope, plans, '[]']);
  };
  const [before, now] = [await scopeWith(-1, null), await scopeWith(-1, null)];
  await settle(before, { file: range(0, 10), filed_up_to: 9 });
  await settle(now, { file: range(0, 10), filed_up_to: 9, file_keys: range(0, 4), keys_filed_up_to: 3 });
  expect([await countKeys(before), await countKeys(now)]).toEqual([25, 10]);
  const said = async (scope: string) =>
    (await db.query('select group_key, value_key, seq from claim_evidence where scope_key = $1', [scope])).rows;
  expect(await said(before)).toHaveLength(10);
  expect(await said(now)).toEqual(await said(before));
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
