/** Applies SQL files whose text has changed since they were last applied; the others cost nothing. */
import type pg from 'pg';
import { RELEASE } from './release.ts';
import { RETIRED, type Script } from './schema.ts';

/** After a one, which is more than the first number of 0.1.0: release 1 noted its version here. Postgres compares them one by one. */
const OURS = [1, RELEASE];

/** Returns the names of those applied now. What a newer release has applied stays: an older replica may start beside it. */
export async function applyChanged(client: pg.Client, files: Script[], release = OURS): Promise<string[]> {
  // A file that comes back has to be applied again, though its text may be the same.
  const gone = await client.query('delete from schema_files where release <= $1::int[] and name <> all ($2)', [
    release,
    files.map(({ name }) => name),
  ]);
  const { rows } = await client.query<{ name: string; sha256: string; isNewer: boolean }>(
    'select name, sha256, release > $1::int[] as "isNewer" from schema_files',
    [release],
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  const changed = files.filter(({ name, sha256 }) => {
    const last = applied.get(name);
    // A replica of the release before that has started since then has made what was dropped, and noted it.
    const isUndone = name === RETIRED && gone.rowCount !== 0;
    return !last || (!last.isNewer && (isUndone || last.sha256 !== sha256));
  });
  // Bodies are looked at when they are called, so functions that name each other may come in any order.
  if (changed.length > 0) await client.query('set local check_function_bodies = off');
  for (const file of changed) {
    await runScript(client, file);
    await client.query(
      `insert into schema_files (name, sha256, release) values ($1, $2, $3)
       on conflict (name) do update set sha256 = excluded.sha256, release = excluded.release, applied_at = now()`,
      [file.name, file.sha256, release],
    );
  }
  return changed.map(({ name }) => name);
}

/** With the name of the file in the error: Postgres knows only what it says. */
export async function runScript(client: pg.Client, { name, sql }: Script): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}
