import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import { LAST_RELEASE, type Migration, readSchema, type Schema, type Script } from '../../src/storage/schema.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newDatabaseOfLastRelease } from '../support/last-release.ts';

const empty = () => newDatabase('template0');

function script(name: string, sql: string): Script {
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

/** The next numbers after the last release. */
function upgrades(...sql: string[]): Migration[] {
  return sql.map((text, index) => {
    const version = LAST_RELEASE.version + 1 + index;
    return { ...script(`${version}.sql`, text), version };
  });
}

function schema(parts: { baseline?: string; upgrades?: Migration[]; files?: Script[] }): Schema {
  const version = parts.upgrades?.at(-1)?.version ?? LAST_RELEASE.version;
  return {
    baseline: { ...script('baseline.sql', parts.baseline ?? 'select 1'), version },
    upgrades: parts.upgrades ?? [],
    files: parts.files ?? [],
  };
}

async function tablesOf(url: string, ...names: string[]): Promise<string[]> {
  const { rows } = await connect(url).query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [names],
  );
  return rows.map(({ name }) => name);
}

describe('a new database', () => {
  it('gets the baseline and every file, once', async () => {
    const url = await empty();
    const files = readSchema().files.map(({ name }) => name);
    expect(await migrate(url)).toEqual({ migrations: ['baseline.sql'], files });
    expect(await migrate(url)).toEqual({ migrations: [], files: [] });
  });

  it('gets the baseline and no upgrade, whose changes the baseline has, and later ones', async () => {
    const url = await empty();
    const baseline = 'create table a (); create table b ()';
    const [b, c] = upgrades('create table b ()', 'create table c ()') as [Migration, Migration];
    expect(await migrate(url, schema({ baseline, upgrades: [b] }))).toMatchObject({ migrations: ['baseline.sql'] });
    const later = schema({ baseline: `${baseline}; create table c ()`, upgrades: [b, c] });
    expect(await migrate(url, later)).toMatchObject({ migrations: [c.name] });
    expect(await migrate(url, later)).toMatchObject({ migrations: [] });
    expect(await tablesOf(url, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });

  it('is made once when eight replicas start together', async () => {
    const url = await empty();
    const slow = schema({
      baseline: 'create table a (); select pg_sleep(0.1)',
      files: [script('one.sql', 'create function one() returns int language sql as $$ select 1 $$')],
    });
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(url, slow)));
    expect(applied.flatMap(({ migrations, files }) => [...migrations, ...files])).toEqual(['baseline.sql', 'one.sql']);
  });
});

describe('a database of the last release', () => {
  it('gets the upgrades that it lacks, in order and once', async () => {
    const url = await newDatabaseOfLastRelease();
    const both = schema({ upgrades: upgrades('create table a ()', 'create table b (); drop table a') });
    expect(await migrate(url, both)).toMatchObject({ migrations: ['12.sql', '13.sql'] });
    expect(await migrate(url, both)).toMatchObject({ migrations: [] });
    expect(await tablesOf(url, 'a', 'b')).toEqual(['b']);
  });

  it('stays as it is when an upgrade or a file fails, and goes on when that is mended', async () => {
    const url = await newDatabaseOfLastRelease();
    const good = upgrades('create table a ()');
    const broken = [...good, { ...script('13.sql', 'select 1 / 0'), version: 13 }];
    await expect(migrate(url, schema({ upgrades: broken }))).rejects.toThrow('13.sql: division by zero');
    const files = [script('one.sql', 'create function one() returns int language nonsense as $$ $$')];
    await expect(migrate(url, schema({ upgrades: good, files }))).rejects.toThrow('one.sql: language "nonsense"');
    expect(await tablesOf(url, 'a')).toEqual([]);
    expect(await migrate(url, schema({ upgrades: good }))).toMatchObject({ migrations: ['12.sql'] });
  });
});

describe('it refuses', () => {
  it('a database from before the last release, and says what to start first', async () => {
    await expect(migrate(await newDatabaseOfLastRelease(9))).rejects.toThrow(
      'the database is too old for this release: its last migration is 000009_leaders_among_few.sql. Start the last build ' +
        'of release 0.1.0 on it first, the one that applies 000011_locked_scopes.sql, and then this one.',
    );
  });

  it('a database that is newer than the code', async () => {
    const url = await empty();
    await migrate(url, schema({ upgrades: upgrades('select 1') }));
    await expect(migrate(url, schema({}))).rejects.toThrow('the database is newer than this code: it has baseline.sql');
    const other = await newDatabaseOfLastRelease();
    await migrate(other, schema({ upgrades: upgrades('select 1') }));
    await expect(migrate(other, schema({}))).rejects.toThrow('the database is newer than this code: it has 12.sql');
  });

  it('a migration that was changed after it was applied', async () => {
    const url = await newDatabaseOfLastRelease();
    await migrate(url, schema({ upgrades: upgrades('select 1') }));
    await expect(migrate(url, schema({ upgrades: upgrades('select 2') }))).rejects.toThrow(
      'migrations/12.sql was changed after it was applied',
    );
    const made = await empty();
    await migrate(made, schema({ baseline: 'select 1' }));
    await expect(migrate(made, schema({ baseline: 'select 2' }))).rejects.toThrow(
      'migrations/baseline.sql was changed after it was applied',
    );
  });
});

it('numbers its files from the last release on without a gap', () => {
  const versions = readSchema().upgrades.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_version, index) => LAST_RELEASE.version + 1 + index));
});
