/** The connection pool, and the one place where Postgres's failures become errors of ours. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError, isUnavailable, maybeStored, tenantDeleted } from '../errors.ts';
import { CopyOut, textsOf } from './copy-out.ts';
import { withLiterals } from './literals.ts';
import { isMissing, OTHER_SCHEMA, type SchemaWatch } from './schema-watch.ts';
import { shownDate } from './shown-date.ts';
import { type Witness, wasCommitted } from './unknown-commit.ts';

export interface Queryable {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

export interface Copyable {
  /** The bytes that COPY sends of each select, all at once: for what is bounded. Their values may be texts and numbers. */
  copy(selects: string[], values: (string | number)[]): Promise<string[]>;
}

export interface Transaction extends Queryable {
  /** Once the work has one: it settles a commit whose connection broke. */
  witness?: Witness;
}

/** One that each connection parses and plans only once, under this name. */
export interface PreparedStatement {
  name: string;
  text: string;
}

const preparedNames = new Map<string, string>();

/** A statement that is asked so often, or planned for so long, that each connection plans it only once: for constants. */
export function prepared(name: string, sql: string): string {
  preparedNames.set(sql, name);
  return sql;
}

function statementOf(text: string): pg.QueryConfig {
  const name = preparedNames.get(text);
  return name === undefined ? { text } : { name, text };
}

export interface Database extends Queryable, Copyable {
  /**
   * Runs one statement that commits by itself. When its connection breaks, nobody knows whether it has: then waits until
   * the server has let go of it, and asks `readBack` for what it did; null means that it did nothing.
   */
  once<Row extends pg.QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
    readBack: () => Promise<Row[] | null>,
  ): Promise<Row[]>;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface Connection extends Queryable, Copyable {
  /** The server's process behind it. */
  backend: number;
  run<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: unknown[]): Promise<pg.QueryResult<Row>>;
}

export interface DatabaseOptions {
  url: string;
  /** What Postgres shows its connections as. */
  name?: string;
  poolSize: number;
  timeoutMs: number;
  /** Told after each transaction that was committed. */
  onCommit?: () => void;
  /** Why nothing may be asked of it, though it may answer; null as long as it may. */
  lost?: () => string | null;
  /** Told what a statement found missing. */
  schema?: SchemaWatch;
  /** A connection that broke while nobody used it; the pool makes another. */
  onIdleError: (error: Error) => void;
}

const ASK_AGAIN_MS = 50;
/** Somebody has to do something about it first. */
const LOST_RETRY_S = 60;
/** A rollout replaces this process soon, and whoever balances the load looks at its health before that. */
const OTHER_SCHEMA_RETRY_S = 5;
const timestamptz = pg.types.builtins.TIMESTAMPTZ;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === timestamptz ? shownDate : pg.types.getTypeParser(oid, format)),
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name ?? 'docket',
    types,
    max: options.poolSize,
    connectionTimeoutMillis: options.timeoutMs,
    statement_timeout: options.timeoutMs,
    idle_in_transaction_session_timeout: options.timeoutMs,
    // Ours runs out after the server's, and only when the connection is dead: nobody would answer at all then.
    query_timeout: options.timeoutMs + 1000,
    keepAlive: true,
  });
  pool.on('error', (error) => {
    // A pool that ends does not wait for the server's goodbye, which an embedded one that is being stopped sends late.
    if (!pool.ending) options.onIdleError(error);
  });
  // A connection that breaks while it is in use fails its query; unheard, its error event would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));

  /** A connection for the time of some work; one that broke does not go back to the pool. */
  async function withClient<Result>(work: (client: Connection) => Promise<Result>): Promise<Result> {
    const lost = options.lost?.();
    if (lost) throw new AppError('unavailable', lost, { retryAfterSeconds: LOST_RETRY_S, reason: 'postgres' });
    const client = await pool.connect().catch((cause) => {
      throw unavailable(cause);
    });
    let broken = false;
    try {
      return await work({
        backend: (client as pg.PoolClient & { processID: number }).processID,
        query: (sql, values) => client.query(statementOf(sql), values).catch((error) => fail(error, sql)),
        copy: (selects, values) => {
          const sql = selects.map((select) => `copy (${withLiterals(select, values)}) to stdout`).join('; ');
          const copied = new CopyOut(sql);
          // The server gives each of them its time.
          copied.query_timeout = selects.length * options.timeoutMs + 1000;
          return textsOf(client.query(copied)).catch((error) => fail(error, selects[copied.ends.length] ?? ''));
        },
        run: (statement, values) =>
          client.query({ ...statement, values }).catch((error) => fail(error, statement.text)),
      });
    } catch (error) {
      broken = isUnavailable(error) && !isLockTimeout(error) && !isMissing((error as AppError).cause);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * What Postgres itself says of a statement is passed on, unless it is away, full, told to stop or out of time and may do
   * the same later, or lacks what was asked for. Whatever else fails is the connection: the statement may or may not have
   * been carried out.
   */
  function fail(error: unknown, sql: string): never {
    if (isMissing(error)) {
      options.schema?.note(sql, error);
      const more = { retryAfterSeconds: OTHER_SCHEMA_RETRY_S, reason: 'schema' as const, cause: error };
      throw new AppError('unavailable', OTHER_SCHEMA, more);
    }
    // Rows point to tenants, and to scopes that are locked.
    if (isForeignKeyViolation(error)) throw tenantDeleted(error);
    if (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? '')) throw error;
    throw unavailable(error);
  }

  /** A connection lost at commit means unknown, not failed: the server is asked, for as long as anybody waits anyway. */
  async function resolveUnknown<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
    for (const deadline = Date.now() + options.timeoutMs; Date.now() < deadline; await sleep(ASK_AGAIN_MS)) {
      try {
        const answer = await ask();
        if (answer !== undefined) return answer;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
    }
    throw maybeStored('postgres');
  }

  const query = <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
    withClient((client) => client.query<Row>(sql, values));

  /** Whether the process that served a connection has ended, and with it whatever it was doing. A standby may not have heard of that yet. */
  async function hasLetGo(backend: number): Promise<boolean> {
    const { rows } = await query(
      'select where not pg_is_in_recovery() and not exists (select from pg_stat_activity where pid = $1)',
      [backend],
    );
    return rows.length > 0;
  }

  return {
    query,
    copy: (selects, values) => withClient((client) => client.copy(selects, values)),
    async once<Row extends pg.QueryResultRow>(
      statement: PreparedStatement,
      values: unknown[],
      readBack: () => Promise<Row[] | null>,
    ) {
      let backend: number | null = null;
      try {
        const rows = await withClient(async (client) => {
          backend = client.backend;
          return (await client.run<Row>(statement, values)).rows;
        });
        options.onCommit?.();
        return rows;
      } catch (error) {
        const served = backend;
        if (served === null || !isUnknown(error)) throw error;
        const rows = await resolveUnknown(async () => ((await hasLetGo(served)) ? await readBack() : undefined));
        if (rows) return rows;
        throw error;
      }
    },
    async transaction(work) {
      const tx: Transaction = { query: () => Promise.reject(new Error('the transaction has ended')) };
      let committing = false;
      let result: Awaited<ReturnType<typeof work>> | undefined;
      try {
        const done = await withClient(async (client) => {
          await client.query('begin');
          try {
            tx.query = (sql, values) => client.query(sql, values);
            result = await work(tx);
            committing = true;
            await client.query('commit');
            return result;
          } catch (error) {
            // When this fails too, the connection is gone, and the transaction with it.
            if (!committing) await client.query('rollback').catch(() => {});
            throw error;
          }
        });
        options.onCommit?.();
        return done;
      } catch (error) {
        const { witness } = tx;
        if (!committing || !witness || !isUnknown(error)) throw error;
        if (await resolveUnknown(() => wasCommitted(query, witness))) return result as NonNullable<typeof result>;
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

/** Whether the server may have committed: it said nothing, or only that it was going. Any other word of it means no. */
function isUnknown(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  const { cause } = error as AppError;
  return !(cause instanceof pg.DatabaseError) || /^(57P|08)/.test(cause.code ?? '');
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database does not answer right now; try again.', {
    retryAfterSeconds: 1,
    reason: 'postgres',
    cause,
  });
}

const PASSING = /^(08|53|57P|57014|40001|40P01|55P03|25006|25P0[34])/;

/**
 * Whether Postgres is full, out of connections, going or coming, read-only, or of another schema: whatever was asked of it is
 * not to blame.
 */
export function isTroubleOfPostgres(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: string } };
  return isMissing(cause) || /^(53100|53300|57P|25006|ECONNREFUSED)/.test(cause?.code ?? '');
}

/** How long this transaction waits for each lock. */
export async function updateLockTimeout(tx: Transaction, ms: number): Promise<void> {
  await tx.query(`select set_config('lock_timeout', $1, true)`, [`${ms}`]);
}

/** Somebody else held the lock for longer than the transaction would wait. */
export function isLockTimeout(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: string } };
  return cause?.code === '55P03';
}

/** Whether Postgres refuses what a statement was given: the same will be refused again. */
export function isDataError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}

/** What the row points to is gone: deleted after it was looked up. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  return code === '23503';
}

/** Another row has this key: written after it was looked for. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}
