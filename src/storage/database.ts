/** The connection pool, and the one place where Postgres's failures become errors of ours. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../errors.ts';

export interface Queryable {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

export interface Transaction extends Queryable {
  /** Postgres's id of this transaction, once the work knows it: it settles a commit whose connection broke. */
  xid?: string;
}

export interface Database extends Queryable {
  /**
   * Runs one statement that commits by itself. When its connection breaks, nobody knows whether it has: then waits until
   * the server has let go of it, and asks `readBack` for what it did; null means that it did nothing.
   */
  once<Row extends pg.QueryResultRow>(
    sql: string,
    values: unknown[],
    readBack: () => Promise<Row[] | null>,
  ): Promise<Row[]>;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  timeoutMs: number;
  /** A connection that broke while nobody used it; the pool makes another. */
  onIdleError: (error: Error) => void;
}

const ASK_AGAIN_MS = 50;
const timestamptz = pg.types.builtins.TIMESTAMPTZ;

/** Dates come as the text that the API shows: nothing here calculates with them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === timestamptz ? (text: string) => new Date(text).toISOString() : pg.types.getTypeParser(oid, format),
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'docket',
    types,
    max: options.poolSize,
    connectionTimeoutMillis: options.timeoutMs,
    statement_timeout: options.timeoutMs,
    idle_in_transaction_session_timeout: options.timeoutMs,
    // Ours runs out after the server's, and only when the connection is dead: nobody would answer at all then.
    query_timeout: options.timeoutMs + 1000,
    keepAlive: true,
  });
  pool.on('error', options.onIdleError);
  // A connection that breaks while it is in use fails its query; unheard, its error event would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));

  /** A connection for the time of some work; one that broke does not go back to the pool. */
  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((cause) => {
      throw unavailable(cause);
    });
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = !(error instanceof pg.DatabaseError) && !(error instanceof AppError);
      throw isPassing(error) ? unavailable(error) : error;
    } finally {
      client.release(broken);
    }
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
    throw new AppError(
      'unavailable',
      'It is not known whether this was stored: send it again with its idempotency_key.',
      {
        retryAfterSeconds: 5,
      },
    );
  }

  const single = async (sql: string, value: unknown) =>
    (await withClient((client) => client.query(sql, [value]))).rows[0];

  async function wasCommitted(xid: string): Promise<boolean | undefined> {
    const { status } = await single('select pg_xact_status($1::xid8) as status', xid);
    return status === 'committed' ? true : status === 'aborted' ? false : undefined;
  }

  /** Whether the process that served a connection has ended, and with it whatever it was doing. */
  async function hasLetGo(backend: number): Promise<boolean> {
    return (await single('select not exists (select from pg_stat_activity where pid = $1) as gone', backend)).gone;
  }

  return {
    query: (sql, values) => withClient((client) => client.query(sql, values)),
    async once(sql, values, readBack) {
      let backend: number | null = null;
      try {
        const { rows } = await withClient((client) => {
          backend = (client as pg.PoolClient & { processID: number }).processID;
          return client.query(sql, values);
        });
        return rows;
      } catch (error) {
        const served = backend;
        if (served === null || !isUnavailable(error)) throw error;
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
        return await withClient(async (client) => {
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
      } catch (error) {
        if (committing && tx.xid && isUnavailable(error) && (await wasCommitted(tx.xid)))
          return result as typeof result & {};
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database does not answer right now; try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}

/** Postgres is away, full, or told to stop, or a wait ran out: the same request may succeed later. */
function isPassing(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return PASSING_STATES.test(code) || NETWORK_CODES.test(code) || DRIVER_MESSAGES.test(message);
}

const PASSING_STATES = /^(08|53|57P|57014|40001|40P01|55P03|25006)/;
const NETWORK_CODES = /^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET)/;
/** The driver's own failures carry no code. */
const DRIVER_MESSAGES = /Query read timeout|Connection terminated|not queryable|Client has encountered/;

/** What the row points to is gone: deleted after it was looked up. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23503';
}
