/** SQL functions: applied when their text has changed, in any order, and each as its file says. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { eventKinds } from '../../src/contract/events.ts';
import { readSchema, type Script } from '../../src/storage/schema.ts';
import { applyChanged } from '../../src/storage/schema-files.ts';
import { newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';

async function newClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await newDatabase() });
  await client.connect();
  later(() => client.end());
  return client;
}

function file(name: string, sql: string): Script {
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

const returning = (name: string, what: string) =>
  file(`${name}.sql`, `create or replace function ${name}() returns int language sql as $$ select ${what} $$`);

async function call(client: pg.Client, name: string): Promise<number> {
  return (await client.query(`select ${name}() as result`)).rows[0].result;
}

describe('applyChanged', () => {
  it('applies what is new or has changed, and nothing else', async () => {
    const client = await newClient();
    const [one, two] = [returning('one', '1'), returning('two', '2')];
    expect(await applyChanged(client, [one, two])).toEqual(['one.sql', 'two.sql']);
    expect(await applyChanged(client, [one, two])).toEqual([]);
    expect(await applyChanged(client, [one, returning('two', '22')])).toEqual(['two.sql']);
    expect([await call(client, 'one'), await call(client, 'two')]).toEqual([1, 22]);
  });

  it('applies functions that call each other in whatever order they come', async () => {
    const client = await newClient();
    await client.query('begin');
    await applyChanged(client, [returning('caller', 'called()'), returning('called', '7')]);
    await client.query('commit');
    expect(await call(client, 'caller')).toBe(7);
  });

  it('forgets a setting that the text of the function has no more', async () => {
    const client = await newClient();
    const one = (settings: string) =>
      file('one.sql', `create or replace function one() returns int language sql ${settings} as $$ select 1 $$`);
    const settingsOfOne = async () =>
      (await client.query(`select proconfig from pg_proc where proname = 'one'`)).rows[0].proconfig;
    await applyChanged(client, [one('set enable_seqscan = off')]);
    expect(await settingsOfOne()).toEqual(['enable_seqscan=off']);
    await applyChanged(client, [one('')]);
    expect(await settingsOfOne()).toBeNull();
  });

  it('leaves the function of a file that is gone, and applies the file when it comes back', async () => {
    const client = await newClient();
    await applyChanged(client, [returning('one', '1')]);
    await applyChanged(client, []);
    expect(await call(client, 'one')).toBe(1);
    await client.query('drop function one()');
    expect(await applyChanged(client, [returning('one', '1')])).toEqual(['one.sql']);
  });

  it('leaves to a newer release what that has applied, when a replica of an older one starts beside it', async () => {
    const client = await newClient();
    await applyChanged(client, [returning('one', '1')], [0, 9, 0]);
    await applyChanged(client, [returning('one', '10')], [0, 10, 0]);
    expect(await applyChanged(client, [returning('one', '1')], [0, 9, 0])).toEqual([]);
    expect(await call(client, 'one')).toBe(10);
    expect(await applyChanged(client, [returning('one', '11')], [0, 10, 0])).toEqual(['one.sql']);
  });

  it('drops again what a replica of an older release has made, after it was retired', async () => {
    const client = await newClient();
    const [older, newer] = [
      [0, 9, 0],
      [0, 10, 0],
    ];
    const retired = file('retired.sql', 'drop function if exists one()');
    await client.query('delete from schema_files');
    for (let n = 0; n < 2; n++) {
      expect(await applyChanged(client, [returning('one', '1')], older)).toEqual(['one.sql']);
      expect(await call(client, 'one')).toBe(1);
      expect(await applyChanged(client, [retired], newer)).toEqual(['retired.sql']);
      await expect(call(client, 'one')).rejects.toThrow('function one() does not exist');
      expect(await applyChanged(client, [retired], newer)).toEqual([]);
    }
  });
});

describe('the functions of this release', () => {
  it('have a file each, named as the function is', async () => {
    const { rows } = await (await newClient()).query(
      `select proname || '.sql' as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    );
    const names = readSchema().files.map(({ name }) => name);
    expect(rows.map(({ name }) => name)).toEqual(names.filter((name) => !/^(comments|retired)\.sql$/.test(name)));
  });

  it('have bodies that Postgres understands, which it does not look at while they are applied', async () => {
    await (await newClient()).query(
      `select case lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
         from pg_proc p join pg_language l on l.oid = prolang where pronamespace = 'public'::regnamespace`,
    );
  });

  it('write the event log in one place, under its lock', () => {
    const writers = readSchema().files.filter(({ sql }) => /insert into events\b/.test(sql));
    expect(writers.map(({ name }) => name)).toEqual(['write_events.sql']);
  });

  it('leave it to TypeScript which event is told, but for one that they have to let through', () => {
    const types = Object.keys(eventKinds);
    const naming = readSchema().files.filter(({ sql }) => types.some((type) => sql.includes(`'${type}'`)));
    // A tenant is marked as deleted before that is told.
    expect(naming.map(({ name }) => name)).toEqual(['refuse_deleted_tenants.sql']);
  });

  it('can be applied again', async () => {
    const client = await newClient();
    await client.query('begin');
    await client.query('delete from schema_files');
    expect(await applyChanged(client, readSchema().files)).toHaveLength(readSchema().files.length);
    await client.query('rollback');
  });
});
