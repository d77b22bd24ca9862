/** The line in which the statements of workers wait for each other, on a real Postgres. */
import { expect, it } from 'vitest';
import { oneAtATime } from '../../src/runtime/one-at-a-time.ts';
import { connect, newDatabase } from '../support/database.ts';

const db = connect(await newDatabase());

it('lets a tenant with one statement wait for one of another tenant, not for all of them', async () => {
  const databaseOf = oneAtATime(db, () => null);
  const ended: string[] = [];
  const ask = async (tenant: string) => {
    await databaseOf(tenant).query('select 1');
    ended.push(tenant);
  };
  await Promise.all([ask('greedy'), ask('greedy'), ask('greedy'), ask('greedy'), ask('light')]);
  expect(ended).toEqual(['greedy', 'light', 'greedy', 'greedy', 'greedy']);
});

it('has no two of them at Postgres at once', async () => {
  const databaseOf = oneAtATime(db, () => null);
  await db.query('create table one_at_a_time (began timestamptz, ended timestamptz)');
  const note = (tenant: string) =>
    databaseOf(tenant).transaction(async (tx) => {
      const { rows } = await tx.query('select clock_timestamp() as began');
      await tx.query('insert into one_at_a_time select $1, clock_timestamp()', [rows[0]?.began]);
    });
  await Promise.all(['a', 'a', 'b', 'c', 'c', 'b'].map(note));
  const { rows } = await db.query(
    'select count(*)::int as both from one_at_a_time a join one_at_a_time b on a.began < b.began and b.began < a.ended',
  );
  expect(rows).toEqual([{ both: 0 }]);
});

it('goes on after a statement that failed', async () => {
  const databaseOf = oneAtATime(db, () => null);
  const refused = databaseOf('a').query('select 1 / 0');
  const answered = databaseOf('a').query('select 1 as one');
  await expect(refused).rejects.toThrow('division by zero');
  expect((await answered).rows).toEqual([{ one: 1 }]);
});

it('gives way to whoever accepts, though not for ever', async () => {
  await oneAtATime(db, () => new Promise(() => {}))('a').query('select 1');
});
