/** Brings a database to the schema of this release, forward only: tables first, then functions and comments. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findApplied, makeLedger, noteApplied, noteForOlder } from './ledger.ts';
import { explainStart } from './preflight.ts';
import { RELEASE } from './release.ts';
import { readSchema, type Schema } from './schema.ts';
import { applyChanged, runScript } from './schema-files.ts';

/** Any number that every replica agrees on. */
const MIGRATION_LOCK = 7_213_001;

/** Another replica may be at a long migration; past this it is stuck, and waiting on would hide that. */
const PATIENCE_MS = 60_000;
/**
 * How long to wait for a table that somebody uses: whoever comes after us waits behind us. Each try waits twice as long as the one
 * before, up to the last of these, since there may never be a moment in which nobody asks anything that takes long.
 */
const TABLE_WAIT_MS = 1000;
const MAX_TABLE_WAIT_MS = 15_000;
/** What is in the way of a migration and may not be the next time: a table that was not to be had, or a deadlock. */
const IN_THE_WAY = /^(55P03|40P01)$/;

export interface Applied {
  /** The baseline in a new database, or the upgrades that another one lacked. */
  migrations: string[];
  /** Functions and the like whose text was new. */
  files: string[];
  /** The newer release that has changed the database, beside which this one works. */
  beside?: number;
}

/**
 * Each upgrade is a transaction, so that nobody waits for a table longer than one of them takes: replicas of the release before work
 * on meanwhile, with their functions on the tables of this one. The last one brings the functions. Safe when several replicas start
 * at once: each sees what the others did.
 */
export async function migrate(url: string, schema: Schema = readSchema()): Promise<Applied> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'docket migrate',
    connectionTimeoutMillis: 5000,
    lock_timeout: PATIENCE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const migrations: string[] = [];
    for (;;) {
      const { isLast, ...applied } = await inLockedTransaction(client, () => applyNext(client, schema));
      migrations.push(...applied.migrations);
      if (isLast) return { ...applied, migrations };
    }
  } catch (error) {
    throw explainStart(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

/** What others have in hand may be in the way; then it is tried again. */
async function inLockedTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const endAt = performance.now() + PATIENCE_MS;
  for (let wait = TABLE_WAIT_MS; ; wait = Math.min(2 * wait, MAX_TABLE_WAIT_MS)) {
    try {
      return await tryLocked(client, wait, work);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!IN_THE_WAY.test(code) || performance.now() > endAt) throw error;
      await sleep(100 + 400 * Math.random());
    }
  }
}

/** The lock ends with the transaction, so it also holds behind a pooler that shares sessions. */
export async function tryLocked<Result>(
  client: pg.Client,
  tableWaitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`select set_config('lock_timeout', $1, true)`, [`${tableWaitMs}`]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** The next upgrade of several, or all that is left. */
async function applyNext(client: pg.Client, schema: Schema): Promise<Applied & { isLast: boolean }> {
  await makeLedger(client);
  const found = await findApplied(client, schema);
  const lacking = found ? schema.upgrades.filter(({ version }) => version > found.version) : [schema.baseline];
  const isLast = lacking.length <= 1;
  const [migration] = lacking;
  if (migration) {
    await runScript(client, migration);
    await noteApplied(client, migration);
  }
  await noteForOlder(client);
  return {
    isLast,
    migrations: migration ? [migration.name] : [],
    files: isLast ? await applyChanged(client, schema.files) : [],
    ...(found && found.release > RELEASE && { beside: found.release }),
  };
}
