/** Where a database notes which migrations were applied to it, and by which release: schema_versions. */
import type pg from 'pg';
import { StartError } from '../errors.ts';
import { RELEASE } from './release.ts';
import { type Migration, OLDEST_UPGRADED, type Schema } from './schema.ts';

/** Makes what is missing of it. What release 1 has applied it noted in schema_migrations. */
export async function makeLedger(client: pg.Client): Promise<void> {
  // Looked up first: "create table if not exists" asks for the right to create even where the table is there.
  const { rows } = await client.query<Record<'versions' | 'migrations' | 'files', string | null>>(
    `select to_regclass('schema_versions') as versions, to_regclass('schema_migrations') as migrations,
            to_regclass('schema_files') as files`,
  );
  const [found] = rows;
  if (!found?.migrations)
    await client.query(
      `create table schema_migrations
         (version int primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
    );
  if (!found?.versions)
    await client.query(
      `create table schema_versions
         (version int primary key, name text not null, sha256 text not null, release int not null,
          applied_at timestamptz not null default now())`,
    );
  if (!found?.files)
    await client.query(
      `create table schema_files
         (name text primary key, sha256 text not null, release int[] not null, applied_at timestamptz not null default now())`,
    );
  await client.query(
    `insert into schema_versions (version, name, sha256, release, applied_at)
     select version, name, sha256, 1, applied_at from schema_migrations
      where version > coalesce((select max(version) from schema_versions), 0)`,
  );
}

export async function noteApplied(client: pg.Client, { version, name, sha256 }: Migration): Promise<void> {
  await client.query('insert into schema_versions (version, name, sha256, release) values ($1, $2, $3, $4)', [
    version,
    name,
    sha256,
    RELEASE,
  ]);
}

/**
 * 0.1.0 and release 1 read schema_migrations, and refuse to start where that has a migration which they do not know: what they call is
 * gone. The table stays for good, since without it they would begin from nothing. Later releases refuse by schema_versions and
 * schema_files. Nothing is noted that schema_versions lacks, or makeLedger would take it for applied.
 */
export async function noteForOlder(client: pg.Client): Promise<void> {
  await client.query(
    `insert into schema_migrations (version, name, sha256)
     select version, name, sha256 from schema_versions order by version desc limit 1 on conflict (version) do nothing`,
  );
}

export interface Found {
  /** Of the schema. */
  version: number;
  /** The newest that has changed the database. */
  release: number;
}

/** Null for a new database. Refuses one that this release cannot go on from. */
export async function findApplied(client: pg.Client, { baseline, upgrades }: Schema): Promise<Found | null> {
  const { rows } = await client.query<Pick<Migration, 'version' | 'name' | 'sha256'>>(
    'select version, name, sha256 from schema_versions order by version',
  );
  const last = rows.at(-1);
  if (!last) return null;
  const release = await findRelease(client);
  // The next one sees to it that this one works beside it. Of any other, nothing is known.
  if (release > RELEASE + 1 || (last.version > baseline.version && release <= RELEASE))
    throw new StartError(
      `the database is newer than this code: it has ${last.name}, version ${last.version}, of release ${release}. This is ` +
        `release ${RELEASE}: start a newer one.`,
    );
  if (last.version < OLDEST_UPGRADED.version)
    throw new StartError(
      `the database is too old for this release: its last migration is ${last.name}. Start the last build of release ` +
        `${OLDEST_UPGRADED.name} on it first, the one that applies ${OLDEST_UPGRADED.migration}, and then this one.`,
    );
  for (const row of rows) {
    const ours = (row.name === baseline.name ? [baseline] : upgrades).find(({ version }) => version === row.version);
    if (ours && ours.sha256 !== row.sha256)
      throw new StartError(`migrations/${ours.name} was changed after it was applied; add the next number instead.`);
  }
  return { version: last.version, release };
}

/** One without migrations of its own is known by its functions. */
async function findRelease(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ release: number }>(
    `select greatest(1, (select max(release) from schema_versions),
                     (select max(release[2]) from schema_files where release[1] = 1)) as release`,
  );
  return rows[0]?.release ?? 1;
}
