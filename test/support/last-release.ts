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
