/** Brings a database to the schema of this release, forward only: tables first, then functions and comments. */
import pg from 'pg';
import { StartError } from '../errors.ts';
import { explainStart } from './preflight.ts';
import { LAST_RELEASE, type Migration, readSchema, type Schema } from './schema.ts';
import { applyChanged, runScript } from './schema-files.ts';

/** Any number that every replica agrees on. */
const MIGRATION_LOCK = 7_213_001;

export interface Applied {
  /** The baseline in a new database, or the upgrades that another one lacked. */
  migrations: string[];
  /** Functions and the like whose text was new. */
  files: string[];
}

/**
 * All of it is one transaction: a database has the tables and the functions of one release, and never those of two. Safe when
 * several replicas start at once: each sees what the others did.
 */
export async function migrate(url: string, schema: Schema = readSchema()): Promise<Applied> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'docket migrate',
    connectionTimeoutMillis: 5000,
    // Another replica may be at a long migration; past this it is stuck, and waiting on would hide that.
    lock_timeout: 60_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await inLockedTransaction(client, () => apply(client, schema));
  } catch (error) {
    throw explainStart(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The lock ends with the transaction, so it also holds behind a pooler that shares sessions. */
async function inLockedTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function apply(client: pg.Client, schema: Schema): Promise<Applied> {
  await makeLedger(client);
  const version = await findVersion(client, schema);
  const lacking = version === null ? [schema.baseline] : schema.upgrades.filter((upgrade) => upgrade.version > version);
  for (const migration of lacking) {
    await runScript(client, migration);
    await client.query('insert into schema_migrations (version, name, sha256) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.sha256,
    ]);
  }
  return { migrations: lacking.map(({ name }) => name), files: await applyChanged(client, schema.files) };
}

/** Where it is noted what was applied. */
async function makeLedger(client: pg.Client): Promise<void> {
  // Looked up first: "create table if not exists" asks for the right to create even where the table is there.
  const { rows } = await client.query<Record<'migrations' | 'files', string | null>>(
    `select to_regclass('schema_migrations') as migrations, to_regclass('schema_files') as files`,
  );
  if (!rows[0]?.migrations) {
    await client.query(
      `create table schema_migrations
         (version int primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
    );
  }
  if (!rows[0]?.files) {
    await client.query(
      `create table schema_files
         (name text primary key, sha256 text not null, release int[] not null, applied_at timestamptz not null default now())`,
    );
  }
}

/** Null for a new database. Refuses one that this release cannot go on from. */
async function findVersion(client: pg.Client, { baseline, upgrades }: Schema): Promise<number | null> {
  const { rows } = await client.query<Pick<Migration, 'version' | 'name' | 'sha256'>>(
    'select version, name, sha256 from schema_migrations order by version',
  );
  const last = rows.at(-1);
  if (!last) return null;
  if (last.version > baseline.version)
    throw new StartError(
      `the database is newer than this code: it has ${last.name}, version ${last.version}. Start a newer release.`,
    );
  if (last.version < LAST_RELEASE.version)
    throw new StartError(
      `the database is too old for this release: its last migration is ${last.name}. Start the last build of release ` +
        `${LAST_RELEASE.name} on it first, the one that applies ${LAST_RELEASE.migration}, and then this one.`,
    );
  for (const row of rows) {
    const ours = (row.name === baseline.name ? [baseline] : upgrades).find(({ version }) => version === row.version);
    if (ours && ours.sha256 !== row.sha256)
      throw new StartError(`migrations/${ours.name} was changed after it was applied; add the next number instead.`);
  }
  return last.version;
}
