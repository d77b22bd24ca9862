/** Looks at a Postgres before it is used: can it be reached, is it fit for the promise. One clear line when not. */
import pg from 'pg';
import { StartError } from '../errors.ts';
import type { Queryable } from './database.ts';

const OLDEST = 14;
/** A machine that is busy with something else may take seconds for it; one that is not there seldom needs so long. */
const CONNECT_MS = 15_000;

export async function checkDatabase(url: string, warn: (line: string) => void, oldest = OLDEST): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const facts = await readFacts(client);
    if (facts.version < oldest * 10_000)
      throw new StartError(`${nameOf(url)} is Postgres ${facts.release}; ${oldest} or newer is needed.`);
    if (facts.encoding !== 'UTF8')
      throw new StartError(`the database's encoding is ${facts.encoding}; make one with encoding UTF8.`);
    if (facts.read_only)
      throw new StartError(`${nameOf(url)} is read-only (a standby?); DATABASE_URL must name the primary.`);
    for (const name of ['fsync', 'synchronous_commit'] as const) {
      if (facts[name] === 'off')
        warn(`Postgres runs with ${name}=off: documents that were accepted can be lost in a crash`);
    }
  } catch (error) {
    throw explainStart(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

interface Facts {
  version: number;
  release: string;
  encoding: string;
  fsync: string;
  synchronous_commit: string;
  read_only: boolean;
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
            current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as synchronous_commit,
            pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
  );
  return rows[0];
}

/** What a failure of Postgres at start means to the person who set DATABASE_URL; the password is never repeated. */
export function explainStart(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  const where = nameOf(url);
  if (code.startsWith('28'))
    return new StartError(`${where} refuses the user or the password of DATABASE_URL (${message}).`, { cause: error });
  if (code === '3D000')
    return new StartError(`${where}: ${message}. Create it, or correct DATABASE_URL.`, { cause: error });
  if (code === '42501')
    return new StartError(`${where}: ${message}. Grant the user of DATABASE_URL the right to create tables.`, {
      cause: error,
    });
  if (code === '55P03')
    return new StartError(
      'another replica has held the migration lock, or somebody a table, for a minute; look at that first.',
      {
        cause: error,
      },
    );
  if (code === '' || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('53')) {
    return new StartError(
      `cannot reach Postgres at ${where} (${message || code}). Check that it runs and that DATABASE_URL is right.`,
      { cause: error },
    );
  }
  return error;
}

function nameOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || 5432}${pathname}`;
  } catch {
    return 'DATABASE_URL';
  }
}

export async function isWritable(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ writable: boolean }>('select not pg_is_in_recovery() as writable');
  return rows[0]?.writable === true;
}
