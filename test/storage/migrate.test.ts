import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import { RELEASE } from '../../src/storage/release.ts';
import { type Migration, OLDEST_UPGRADED, readSchema, type Schema, type Script } from '../../src/storage/schema.ts';
import { connect, newDatabase } from '../support/database.ts';
import { newDatabaseOfLastRelease } from '../support/last-release.ts';
import { until } from '../support/until.ts';

const empty = () => newDatabase('template0');

function script(name: string, sql: string): Script {
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

/** The next numbers after the last release. */
function upgrades(...sql: string[]): Migration[] {
  return sql.map((text, index) => {
    const version = OLDEST_UPGRADED.version + 1 + index;
    return { ...script(`${version}.sql`, text), version };
  });
}

function schema(parts: { baseline?: string; upgrades?: Migration[]; files?: Script[] }): Schema {
  const version = parts.upgrades?.at(-1)?.version ?? OLDEST_UPGRADED.version;
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

  it('keeps what was applied before an upgrade or a file that fails, and goes on when that is mended', async () => {
    const url = await newDatabaseOfLastRelease();
    const good = upgrades('create table a ()', 'create table b ()', 'create table c ()');
    const broken = good.with(1, { ...script('13.sql', 'create table b (); select 1 / 0'), version: 13 });
    await expect(migrate(url, schema({ upgrades: broken }))).rejects.toThrow('13.sql: division by zero');
    expect(await tablesOf(url, 'a', 'b', 'c')).toEqual(['a']);
    const files = [script('one.sql', 'create function one() returns int language nonsense as $$ $$')];
    await expect(migrate(url, schema({ upgrades: good, files }))).rejects.toThrow('one.sql: language "nonsense"');
    // The functions come with the last upgrade, or it does not come.
    expect(await tablesOf(url, 'a', 'b', 'c')).toEqual(['a', 'b']);
    expect(await migrate(url, schema({ upgrades: good }))).toMatchObject({ migrations: ['14.sql'] });
  });
});

describe('beside another release', () => {
  /** As if that one had migrated it. */
  const asOf = (url: string, release: number) =>
    connect(url).query(
      `insert into schema_versions (version, name, sha256, release) values (1000, '001000_later.sql', '', $1)`,
      [release],
    );

  it('starts on a database that the next one has migrated, and changes nothing', async () => {
    const url = await newDatabase();
    await asOf(url, RELEASE + 1);
    expect(await migrate(url)).toEqual({ migrations: [], files: [], beside: RELEASE + 1 });
  });

  it('knows the next one by its functions, where that has no migrations', async () => {
    const url = await newDatabase();
    const note = (release: number) =>
      connect(url).query(`update schema_files set release = array[1, $1::int] where name = 'retired.sql'`, [release]);
    await note(RELEASE + 1);
    expect(await migrate(url)).toMatchObject({ beside: RELEASE + 1 });
    await note(RELEASE + 2);
    await expect(migrate(url)).rejects.toThrow(`of release ${RELEASE + 2}. This is release ${RELEASE}: start a newer`);
  });

  it('does not start beside the one after the next, nor on an unknown migration of its own release', async () => {
    const [later, own] = [await newDatabase(), await newDatabase()];
    await asOf(later, RELEASE + 2);
    await expect(migrate(later)).rejects.toThrow('the database is newer than this code: it has 001000_later.sql');
    await asOf(own, RELEASE);
    await expect(migrate(own)).rejects.toThrow('the database is newer than this code: it has 001000_later.sql');
  });

  const LAST_OF_RELEASE_1 = 17;
  const lastNoted = async (url: string) => {
    const { rows } = await connect(url).query<{ last: number }>('select max(version) as last from schema_migrations');
    return rows[0]?.last;
  };

  it('keeps release 1 out, which refuses to start where schema_migrations has one that it does not know', async () => {
    const [upgraded, skipping] = [await newDatabaseOfLastRelease(), await newDatabase()];
    await migrate(upgraded);
    // As releases 2 and 3 left it, beside which release 1 still started.
    await connect(skipping).query('delete from schema_migrations where version > $1', [LAST_OF_RELEASE_1]);
    await migrate(skipping);
    for (const url of [await newDatabase(), upgraded, skipping]) {
      expect(await lastNoted(url)).toBeGreaterThan(LAST_OF_RELEASE_1);
      // Nor is that row taken for a migration that this release lacks.
      expect(await migrate(url)).toEqual({ migrations: [], files: [] });
    }
  });

  it('keeps them out from the first upgrade on that they do not know, and goes on from there', async () => {
    const url = await newDatabaseOfLastRelease();
    const real = readSchema();
    const broken = real.upgrades.map((one) => (one === real.upgrades.at(-1) ? { ...one, sql: 'select 1 / 0' } : one));
    await expect(migrate(url, { ...real, upgrades: broken })).rejects.toThrow('division by zero');
    expect(await lastNoted(url)).toBe(real.upgrades.at(-2)?.version);
    expect(await migrate(url)).toMatchObject({ migrations: [real.upgrades.at(-1)?.name] });
  });

  it('keeps nobody from a table for which it has to wait, and gets it in the end', async () => {
    const url = await newDatabaseOfLastRelease();
    const db = connect(url);
    const isWaiting = `select from pg_stat_activity where application_name = 'docket migrate' and wait_event_type = 'Lock'
                          and datname = current_database()`;
    const { migrated } = await db.transaction(async (tx) => {
      await tx.query('select from tenants');
      const migrated = migrate(url, schema({ upgrades: upgrades('alter table tenants add column more text') }));
      await until(
        () => db.query(isWaiting),
        ({ rowCount }) => rowCount === 1,
      );
      // It stands in the line behind the migration, which waits for the transaction around this.
      await db.query('select from tenants');
      return { migrated };
    });
    expect(await migrated).toMatchObject({ migrations: ['12.sql'] });
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
  expect(versions).toEqual(versions.map((_version, index) => OLDEST_UPGRADED.version + 1 + index));
});
