/**
 * Loads a dump into a database that has nothing of ours: the tables as they were where it was made, all rows in one
 * transaction, and then what this release changes about them, as at any start.
 */
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { StartError } from '../../errors.ts';
import { makeLedger, noteApplied } from '../ledger.ts';
import { migrate, tryLocked } from '../migrate.ts';
import { checkDatabase } from '../preflight.ts';
import { OLDEST_UPGRADED, readSchema } from '../schema.ts';
import { runScript } from '../schema-files.ts';
import { withConnection } from './connection.ts';
import { CopyIn } from './copy-in.ts';
import { BASELINE_ENTRY, type DumpEnd, type DumpManifest, END_ENTRY, ENTRY_OF_TABLE } from './dump.ts';
import { type Manifest, readManifest, readWhole } from './manifest.ts';
import type { Progress } from './progress.ts';
import { readEntries } from './sealed-file.ts';
import { listOf, quoteName, setSequence, type Table, tablesOf } from './tables.ts';
import type { TarEntry } from './tar.ts';

/** For a lock only as long as a start would wait. */
const LOCK_MS = 60_000;

export interface LoadOptions {
  url: string;
  file: string;
  bytes: number;
  progress: Progress;
  signal: AbortSignal;
  say: (line: string) => void;
  lockMs?: number;
}

export interface Loaded {
  manifest: Manifest;
  documents: number;
}

/** To be asked before there is a database to load it into: one that was made for nothing would be in the way of the next. */
export async function refuseUnfitFile(file: string): Promise<void> {
  const entries = readEntries(file);
  try {
    refuseUnfit(await readManifest<DumpManifest>(entries, 'dump'));
  } finally {
    await entries.return(undefined);
  }
}

/** `bytes` is how large the archive is that was found whole. */
export async function load({
  url,
  file,
  bytes,
  progress,
  signal,
  say,
  lockMs = LOCK_MS,
}: LoadOptions): Promise<Loaded> {
  const entries = readEntries(file);
  try {
    const manifest = await readManifest<DumpManifest>(entries, 'dump');
    refuseUnfit(manifest);
    await checkDatabase(url, say);
    const { rows } = await withConnection({ url, signal, work: 'load' }, async (client) => {
      // Nobody waits for this but who has begun it.
      await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
      // Also for whoever starts or loads at the same time, whose lock is waited for before any table's.
      await client.query(`set lock_timeout = ${lockMs}`);
      progress.begin('loaded', bytes);
      const end = await tryLocked(client, lockMs, async () => {
        await makeTables(client, manifest, await readBaseline(entries));
        return fill(client, manifest.tables, entries, progress);
      });
      // Queries are planned by what is known of the tables. Without this it would come by itself, after a while.
      const names = manifest.tables.map(({ name }) => quoteName(name)).join(', ');
      await client.query(`analyze ${names}`).catch(() => {});
      return end;
    });
    await migrate(url).catch((error) => {
      throw new StartError(
        `all rows are loaded, and not yet brought to this release: npm start goes on with that. ${error.message}`,
        { cause: error },
      );
    });
    return { manifest, documents: rows.documents ?? 0 };
  } finally {
    await entries.return(undefined);
  }
}

/** As a start would, which comes after this. */
function refuseUnfit({ schema, release }: Manifest & DumpManifest): void {
  const { version } = readSchema().baseline;
  if (schema.version > version)
    throw new StartError(
      `the dump is newer than this code: release ${release} made it, at version ${schema.version} of the schema. Load it with that.`,
    );
  if (schema.version < OLDEST_UPGRADED.version)
    throw new StartError(`the dump is too old for this release: load it with release ${release}, which made it.`);
}

async function readBaseline(entries: AsyncGenerator<TarEntry>): Promise<string> {
  const { value: entry } = await entries.next();
  if (!entry || entry.name !== BASELINE_ENTRY) throw new StartError('the dump does not say what its tables are.');
  return (await readWhole(entry)).toString();
}

/** Without any trigger or function yet: rows come as they were, and nothing counts them anew. */
async function makeTables(client: pg.Client, { schema, tables }: DumpManifest, sql: string): Promise<void> {
  const known = new Set(tablesOf(sql));
  const unknown = tables.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) throw new StartError(`the dump has rows of ${unknown.join(', ')}, and makes no such table.`);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [['schema_migrations', 'schema_versions', ...known]],
  );
  if (rows.length > 0)
    throw new StartError(
      'the database is not empty: it has tables of ours. Load into a new one: make another database, or set DATA_DIR to another folder.',
    );
  await makeLedger(client);
  const baseline = { ...schema, sql };
  await runScript(client, baseline);
  await noteApplied(client, baseline);
  // Some begin with a row, which is in the dump, too.
  for (const { name } of tables) await client.query(`delete from ${quoteName(name)}`);
}

async function fill(
  client: pg.Client,
  tables: Table[],
  entries: AsyncIterable<TarEntry>,
  progress: Progress,
): Promise<DumpEnd> {
  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  let done = 0;
  let end: DumpEnd | null = null;
  for await (const entry of entries) {
    if (entry.name === END_ENTRY) {
      end = JSON.parse((await readWhole(entry)).toString()) as DumpEnd;
      continue;
    }
    const table = tables.find(({ name }) => name === ENTRY_OF_TABLE.exec(entry.name)?.[1]);
    if (!table) throw new StartError(`the dump has ${JSON.stringify(entry.name)}, which no dump has.`);
    const copied = new CopyIn(`copy ${listOf(table)} from stdin`);
    await pipeline(entry.content, client.query(copied));
    rows[table.name] = (rows[table.name] ?? 0) + copied.rows;
    done += entry.size;
    progress.reached(done);
  }
  if (!end) throw new StartError('the dump has no end: it is not whole.');
  for (const [name, n] of Object.entries(end.rows))
    if (rows[name] !== n) throw new StartError(`of ${n} rows of ${name} only ${rows[name]} are in the dump.`);
  for (const sequence of end.sequences) await setSequence(client, sequence);
  return end;
}
