/** Applies the numbered files of `migrations/`, forward only. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../errors.ts';
import { explainStart } from './preflight.ts';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));
/** Any number that every replica agrees on. */
const MIGRATION_LOCK = 7_213_001;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{6}_.+\.sql$/.test(file))
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}/${name}`, 'utf8');
      return { version: Number(name.slice(0, 6)), name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });
}

/** Returns the names of those applied now. Safe when several replicas start at once: each sees what the others did. */
export async function migrate(url: string, migrations = readMigrations()): Promise<string[]> {
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
    await inLockedTransaction(client, () => refuseForeignHistory(client, migrations));
    const applied: string[] = [];
    for (const migration of migrations) {
      if (await inLockedTransaction(client, () => apply(client, migration))) applied.push(migration.name);
    }
    return applied;
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

async function refuseForeignHistory(client: pg.Client, migrations: Migration[]): Promise<void> {
  // Looked up first: "create table if not exists" asks for the right to create even where the table is there.
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') as oid`);
  if (!found[0].oid) {
    await client.query(
      `create table schema_migrations
         (version int primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
    );
  }
  const { rows } = await client.query<Migration>(
    'select version, name, sha256 from schema_migrations order by version',
  );
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const row of rows) {
    const ours = known.get(row.version);
    if (!ours) throw new StartError(`the database is newer than this code: it has ${row.name}. Start a newer release.`);
    if (ours.sha256 !== row.sha256)
      throw new StartError(`migrations/${ours.name} was changed after it was applied; add a new one instead.`);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<boolean> {
  const { rowCount } = await client.query('select from schema_migrations where version = $1', [migration.version]);
  if (rowCount) return false;
  await client.query(migration.sql);
  await client.query('insert into schema_migrations (version, name, sha256) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.sha256,
  ]);
  return true;
}
