/** A database as the last release made it: by the migrations of that release, which are kept for this. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { newDatabase } from './database.ts';

export const LAST_RELEASE_FOLDER = 'test/fixtures/release-0.1.0';

/** The URL of one that has all migrations of that release, or only the first so many. */
export async function newDatabaseOfLastRelease(most = Number.POSITIVE_INFINITY): Promise<string> {
  const url = await newDatabase('template0');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create table schema_migrations
       (version int primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
  );
  const folder = `${LAST_RELEASE_FOLDER}/migrations`;
  for (const [index, name] of readdirSync(folder).sort().slice(0, most).entries()) {
    const sql = readFileSync(`${folder}/${name}`, 'utf8');
    await client.query(sql);
    await client.query('insert into schema_migrations (version, name, sha256) values ($1, $2, $3)', [
      index + 1,
      name,
      createHash('sha256').update(sql).digest('hex'),
    ]);
  }
  await client.end();
  return url;
}

/** When data.sql was made: the lease in it had half a minute to go. */
const MADE_AT = Date.parse('2026-11-16T13:40:01.360Z');
/** So long ago it is made to be: the lease is still held when the new release starts, and runs out soon after. */
const AGE_MS = 27_000;

/** Fills it with what a database of that release held, as if that had been made a moment ago. */
export async function fillAsLastRelease(url: string): Promise<void> {
  const later = Date.now() - AGE_MS - MADE_AT;
  const data = readFileSync(`${LAST_RELEASE_FOLDER}/data.sql`, 'utf8').replaceAll(
    /"(\d{4}-\d\d-\d\dT[\d:.]+\+00:00)"/g,
    (_all, time) => `"${new Date(Date.parse(time) + later).toISOString()}"`,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Rows come as they were: no trigger counts them anew.
  await client.query('set session_replication_role = replica');
  await client.query(data);
  await client.end();
}
