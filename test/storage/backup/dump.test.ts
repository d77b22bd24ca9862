/** A dump holds all that a database holds: what is loaded elsewhere is the same, row by row. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { BASELINE_ENTRY, dump, END_ENTRY } from '../../../src/storage/backup/dump.ts';
import { load } from '../../../src/storage/backup/load.ts';
import { manifestFile } from '../../../src/storage/backup/manifest.ts';
import { SealedFile, verifySeal } from '../../../src/storage/backup/sealed-file.ts';
import { tarFile } from '../../../src/storage/backup/tar.ts';
import { migrate, tryLocked } from '../../../src/storage/migrate.ts';
import { RELEASE } from '../../../src/storage/release.ts';
import { readSchema } from '../../../src/storage/schema.ts';
import { describeSchema } from '../../../tools/schema-sql.ts';
import { connect, newDatabase } from '../../support/database.ts';
import { fillAsLastRelease, LAST_RELEASE_FOLDER, newDatabaseOfLastRelease } from '../../support/last-release.ts';
import { newFolder } from '../../support/process.ts';
import { newSealedFile, silent } from '../../support/sealed.ts';

const signal = new AbortController().signal;

async function dumpOf(url: string): Promise<string> {
  const path = join(newFolder(), 'dump');
  const file = await SealedFile.create(path);
  try {
    await dump({ url, file, progress: silent, signal });
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return path;
}

const loadInto = async (url: string, file: string, lockMs?: number) => {
  const bytes = await verifySeal(file, silent, signal);
  return load({ url, file, bytes, progress: silent, signal, say: () => {}, ...(lockMs && { lockMs }) });
};

/** Of each table the number of its rows and a hash of them, and where each sequence is. */
async function contentOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname !~ '^schema_' and relname <> 'nodes' order by 1`,
  );
  const content: Record<string, { n: number; hash: string }> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*)::int as n, md5(string_agg(to_jsonb(t)::text, ' ' order by to_jsonb(t)::text)) as hash from ${name} t`,
    );
    content[name] = rows[0];
  }
  const { rows: sequences } = await client.query(
    `select sequencename as name, last_value::text from pg_sequences where schemaname = 'public' order by 1`,
  );
  await client.end();
  return { content, sequences };
}

describe('a dump', () => {
  it('is loaded elsewhere with every row, every number and the schema of a new database', async () => {
    const url = await newDatabaseOfLastRelease();
    await fillAsLastRelease(url);
    await migrate(url);
    // What would be lost on the way if anything were: blanks, escapes, marks of ends, and text that is no English.
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`update document_contents set provenance = $1`, ['\\N\t\\.\n\\\\ "é" 東京 \u{1f4be}\r\n\\.']);
    await client.query(`select nextval('lane_epochs') from generate_series(1, 1000)`);
    await client.end();
    const before = await contentOf(url);
    // It is worth something only while it has something of nearly everything.
    expect(Object.values(before.content).filter(({ n }) => n > 0).length).toBeGreaterThan(20);

    const copy = await newDatabase('template0');
    const { documents } = await loadInto(copy, await dumpOf(url));
    expect(await contentOf(copy)).toEqual(before);
    expect(before.content.documents).toMatchObject({ n: documents });
    expect(await describeSchema(connect(copy))).toBe(readFileSync('migrations/schema.sql', 'utf8'));
    expect(await migrate(copy)).toEqual({ migrations: [], files: [] });
  });

  it('of an older schema is brought to this one', async () => {
    const folder = `${LAST_RELEASE_FOLDER}/migrations`;
    const sql = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
      .join('\n');
    const schema = { version: 11, name: 'baseline.sql', sha256: createHash('sha256').update(sql).digest('hex') };
    const tables = [{ name: 'tenants', columns: ['tenant_id', 'name'] }];
    const file = await newSealedFile([
      manifestFile('dump', 17, { schema, tables }),
      tarFile(BASELINE_ENTRY, Buffer.from(sql)),
      tarFile('tables/tenants/00000001.copy', Buffer.from('ten_a\tA\nten_b\tB\n')),
      tarFile(END_ENTRY, Buffer.from(JSON.stringify({ rows: { tenants: 2 }, sequences: [] }))),
    ]);
    const url = await newDatabase('template0');
    await loadInto(url, file);
    const db = connect(url);
    expect(await describeSchema(db)).toBe(readFileSync('migrations/schema.sql', 'utf8'));
    expect((await db.query('select tenant_id from tenants order by 1')).rows).toHaveLength(2);
  });

  it('is refused of a database that is of another schema, or has nothing of ours', async () => {
    await expect(dumpOf(await newDatabaseOfLastRelease())).rejects.toThrow('has version 11 of the schema');
    await expect(dumpOf(await newDatabase('template0'))).rejects.toThrow('nothing of ours');
  });

  it('is refused when an upgrade was at work as it began', async () => {
    const url = await newDatabase();
    const upgrade = new pg.Client({ connectionString: url });
    await upgrade.connect();
    await upgrade.query('begin');
    await upgrade.query('alter table tenants add column colour text');
    await upgrade.query(
      `insert into schema_versions (version, name, sha256, release) values (9999, 'colours', '', ${RELEASE + 1})`,
    );
    const dumped = expect(dumpOf(url)).rejects.toThrow('has version 9999 of the schema');
    await waitsForLock(url, 'docket dump');
    await upgrade.query('commit');
    await dumped;
    await upgrade.end();
  });
});

/** Until a connection of this name waits for others. */
const waitsForLock = (url: string, name: string) =>
  expect
    .poll(async () => {
      const { rows } = await connect(url).query(
        `select from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
        [name],
      );
      return rows.length;
    })
    .toBe(1);

describe('a load', () => {
  const { baseline } = readSchema();
  const tables = [{ name: 'tenants', columns: ['tenant_id', 'name'] }];
  const newDump = (schema: object, ...entries: Buffer[]) =>
    newSealedFile([
      manifestFile('dump', 18, { schema: { ...baseline, sql: undefined, ...schema }, tables }),
      tarFile(BASELINE_ENTRY, Buffer.from(baseline.sql)),
      ...entries,
    ]);
  const rows = (text: string) => tarFile('tables/tenants/00000001.copy', Buffer.from(text));
  const end = (tenants: number) =>
    tarFile(END_ENTRY, Buffer.from(JSON.stringify({ rows: { tenants }, sequences: [] })));

  it.each<[string, object, Buffer[], string]>([
    ['is newer than this release', { version: 9999 }, [end(0)], 'newer than this code'],
    ['is too old', { version: 3 }, [end(0)], 'too old for this release'],
    ['has no end', {}, [rows('a\tA\n')], 'has no end'],
    ['has too few rows', {}, [rows('a\tA\n'), end(2)], 'of 2 rows of tenants only 1'],
    ['has a row twice', {}, [rows('a\tA\na\tA\n'), end(2)], 'tenants_pkey'],
    ['has a row that is none', {}, [rows('a\n'), end(1)], 'missing data for column'],
    ['has what no dump has', {}, [tarFile('etc/passwd', Buffer.alloc(1))], 'which no dump has'],
  ])('of what %s is refused, and leaves the database as it was', async (_what, schema, entries, words) => {
    const url = await newDatabase('template0');
    await expect(loadInto(url, await newDump(schema, ...entries))).rejects.toThrow(words);
    const { rows: found } = await connect(url).query(
      `select from pg_class where relnamespace = 'public'::regnamespace`,
    );
    expect(found).toHaveLength(0);
  });

  it('into a database that is not empty is refused', async () => {
    await expect(loadInto(await newDatabase(), await newDump({}, end(0)))).rejects.toThrow('the database is not empty');
  });

  it('waits only so long for whoever changes the schema', async () => {
    const url = await newDatabase('template0');
    const file = await newDump({}, end(0));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await tryLocked(holder, 1000, async () => {
      const loaded = loadInto(url, file, 100);
      await expect(loaded).rejects.toThrow('has waited too long for others at this database');
    });
    await holder.end();
  });

  it('that cannot be brought to this release says that its rows are there', async () => {
    const sql = 'create table tenants (tenant_id text, name text);';
    const schema = { version: 11, name: 'baseline.sql', sha256: createHash('sha256').update(sql).digest('hex') };
    const file = await newSealedFile([
      manifestFile('dump', 18, { schema, tables }),
      tarFile(BASELINE_ENTRY, Buffer.from(sql)),
      rows('a\tA\n'),
      end(1),
    ]);
    const url = await newDatabase('template0');
    await expect(loadInto(url, file)).rejects.toThrow(/^all rows are loaded, .* npm start goes on with that/);
    expect((await connect(url).query('select from tenants')).rows).toHaveLength(1);
  });

  it('of a backup says what takes it', async () => {
    const file = await newSealedFile([manifestFile('backup', 18, {})]);
    await expect(loadInto(await newDatabase('template0'), file)).rejects.toThrow('npm run restore takes it');
  });
});
