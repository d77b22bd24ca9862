import { describe, expect, it } from 'vitest';
import { type Migration, migrate, readMigrations } from '../../src/storage/migrate.ts';
import { listTenantStandings } from '../../src/storage/tenants.ts';
import { connect, newDatabase } from '../support/database.ts';

const empty = () => newDatabase('template0');
const migration = (version: number, sql: string): Migration => ({ version, name: `${version}.sql`, sql, sha256: sql });

describe('migrate', () => {
  it('applies each once, in order', async () => {
    const url = await empty();
    const names = readMigrations().map(({ name }) => name);
    expect(await migrate(url)).toEqual(names);
    expect(await migrate(url)).toEqual([]);
  });

  it('applies each once when eight replicas start together', async () => {
    const url = await empty();
    const slow = [migration(1, 'create table a (); select pg_sleep(0.1)'), migration(2, 'create table b ()')];
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(url, slow)));
    expect(applied.flat().sort()).toEqual(['1.sql', '2.sql']);
  });

  it('leaves nothing of one that fails, and goes on from there when it is mended', async () => {
    const url = await empty();
    const first = migration(1, 'create table a ()');
    await expect(migrate(url, [first, migration(2, 'create table b (); select 1 / 0')])).rejects.toThrow(
      'division by zero',
    );
    const { rows } = await connect(url).query<{ a: string; b: string | null }>(
      `select to_regclass('a') as a, to_regclass('b') as b`,
    );
    expect(rows).toEqual([{ a: 'a', b: null }]);
    expect(await migrate(url, [first, migration(2, 'create table b ()')])).toEqual(['2.sql']);
  });

  it('refuses a database that is newer than the code', async () => {
    const url = await empty();
    await migrate(url, [migration(1, 'select 1'), migration(2, 'select 2')]);
    await expect(migrate(url, [migration(1, 'select 1')])).rejects.toThrow(
      'the database is newer than this code: it has 2.sql',
    );
  });

  it('refuses a migration that was changed after it was applied', async () => {
    const url = await empty();
    await migrate(url, [migration(1, 'select 1')]);
    await expect(migrate(url, [migration(1, 'select 2')])).rejects.toThrow('was changed after it was applied');
  });
});

it('000010 knows what tenants have from before', async () => {
  const url = await empty();
  await migrate(url, readMigrations().slice(0, 9));
  const db = connect(url);
  await db.query(`insert into tenants (tenant_id, name) values ('one', 'n'), ('none', 'n')`);
  await db.query(
    `insert into scopes (tenant_id, scope_id, name, queued, retrying, failed)
     values ('one', 'a', 'n', 3, 1, 9), ('one', 'b', 'n', 2, 0, 9)`,
  );
  await migrate(url);
  expect(await listTenantStandings(db, ['one'])).toMatchObject([{ scopes: 2, backlog: 6 }]);
  expect(await listTenantStandings(db, ['none'])).toMatchObject([{ scopes: 0, backlog: 0 }]);
});

it('numbers its files from 1 without a gap', () => {
  const versions = readMigrations().map(({ version }) => version);
  expect(versions).toEqual(versions.map((_version, index) => index + 1));
});
