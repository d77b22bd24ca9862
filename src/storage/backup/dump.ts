/**
 * Dumps all that a database holds, as text that any version of Postgres takes. It is read from one snapshot, so that
 * documents, counters, contradictions and events agree; as long as that is held, nothing that is deleted or replaced in
 * the meantime can be cleaned up.
 */
import type pg from 'pg';
import { StartError } from '../../errors.ts';
import { CopyOut } from '../copy-out.ts';
import { readSchema } from '../schema.ts';
import { withConnection } from './connection.ts';
import { manifestFile, OURS } from './manifest.ts';
import type { Progress } from './progress.ts';
import type { SealedFile } from './sealed-file.ts';
import { listOf, listSequences, listTables, quoteName, type Sequence, type Table, tablesOf } from './tables.ts';
import { TAR_END, tarFile } from './tar.ts';

/** Rows go into the archive in pieces of about this size: an entry of it has to say how large it is before it begins. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Somebody is changing the schema: an upgrade. */
const LOCK_MS = 10_000;
/** Values are written so that every version reads them the same. */
const SESSION = `set datestyle = 'ISO'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex';
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${LOCK_MS}`;

export const BASELINE_ENTRY = `${OURS}baseline.sql`;
export const END_ENTRY = `${OURS}end.json`;
export const ENTRY_OF_TABLE = /^tables\/(\w+)\/\d+\.copy$/;

export interface DumpManifest {
  /** Of the schema, with the baseline that makes its tables. */
  schema: { version: number; name: string; sha256: string };
  tables: Table[];
}

/** The last entry: without it, a dump is not whole. */
export interface DumpEnd {
  rows: Record<string, number>;
  sequences: Sequence[];
}

export interface DumpOptions {
  url: string;
  file: SealedFile;
  progress: Progress;
  signal: AbortSignal;
}

export interface Dumped {
  documents: number;
  /** How long the snapshot was held. */
  heldSeconds: number;
}

export function dump({ url, file, progress, signal }: DumpOptions): Promise<Dumped> {
  return withConnection({ url, signal, work: 'dump' }, async (client) => {
    await client.query(SESSION);
    // What is locked has to be there.
    await refuseOtherSchema(client);
    return dumpSnapshot(client, file, progress);
  });
}

/** Nothing is migrated here: whoever dumps a database may be about to leave it. */
async function refuseOtherSchema(client: pg.Client): Promise<void> {
  const { version } = readSchema().baseline;
  // Release 1 has only the second.
  const { rows: found } = await client.query<{ ledger: string | null }>(
    `select coalesce(to_regclass('schema_versions'), to_regclass('schema_migrations'))::text as ledger`,
  );
  const ledger = found[0]?.ledger;
  if (!ledger) throw new StartError('there is nothing of ours in this database.');
  const { rows } = await client.query(`select max(version) as version from ${ledger}`);
  if (rows[0].version !== version)
    throw new StartError(
      `the database has version ${rows[0].version} of the schema, and this release is at ${version}: dump it with the release that runs on it, or start this one on it first.`,
    );
}

async function dumpSnapshot(client: pg.Client, file: SealedFile, progress: Progress): Promise<Dumped> {
  const { baseline } = readSchema();
  const began = performance.now();
  await client.query('begin isolation level repeatable read read only');
  // The first query takes the snapshot, and a lock takes none: an upgrade is either seen with all that it did, or comes later.
  const locked = ['schema_versions', ...tablesOf(baseline.sql)].map(quoteName).join(', ');
  await client.query(`lock table ${locked} in access share mode`);
  await refuseOtherSchema(client);
  const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as postgres`);
  const tables = await listTables(client);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const { version, name, sha256 } = baseline;
  const manifest: DumpManifest = {
    schema: { version, name, sha256 },
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  };
  await file.write(manifestFile('dump', rows[0].postgres, manifest));
  await file.write(tarFile(BASELINE_ENTRY, Buffer.from(baseline.sql)));
  progress.begin('read', total);

  const end: DumpEnd = { rows: {}, sequences: [] };
  let done = 0;
  for (const table of tables) {
    end.rows[table.name] = await dumpTable(client, file, table, (bytes) =>
      // The text of a table is seldom as large as its pages.
      progress.reached(done + Math.min(bytes, table.bytes)),
    );
    done += table.bytes;
    progress.reached(done);
  }
  end.sequences = await listSequences(client);
  await client.query('commit');
  const heldSeconds = (performance.now() - began) / 1000;
  await file.write(tarFile(END_ENTRY, Buffer.from(`${JSON.stringify(end, null, 2)}\n`)));
  await file.write(TAR_END);
  return { documents: end.rows.documents ?? 0, heldSeconds };
}

/** Returns how many rows there were. */
async function dumpTable(
  client: pg.Client,
  file: SealedFile,
  table: Table,
  reached: (bytes: number) => void,
): Promise<number> {
  const copied = client.query(new CopyOut(`copy ${listOf(table)} to stdout`));
  let [pieces, gathered, bytes, n]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const flush = async () => {
    n++;
    await file.write(tarFile(`tables/${table.name}/${`${n}`.padStart(8, '0')}.copy`, Buffer.concat(pieces)));
    [pieces, gathered] = [[], 0];
  };
  for await (const piece of copied) {
    pieces.push(piece);
    gathered += piece.length;
    bytes += piece.length;
    reached(bytes);
    if (gathered >= PIECE_BYTES) await flush();
  }
  if (gathered > 0) await flush();
  return Number(/^COPY (\d+)$/.exec(copied.tag)?.[1]);
}
