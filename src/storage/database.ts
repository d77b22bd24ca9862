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

const COMMIT_POLL_MS = 50;
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
  async function wasCommitted(xid: string): Promise<boolean> {
    for (const deadline = Date.now() + options.timeoutMs; Date.now() < deadline; await sleep(COMMIT_POLL_MS)) {
      const answer = await withClient((client) =>
        client.query('select pg_xact_status($1::xid8) as status', [xid]),
      ).catch(() => null);
      const status = answer?.rows[0].status;
      if (status === 'committed' || status === 'aborted') return status === 'committed';
    }
    return false;
  }

  return {
    query: (sql, values) => withClient((client) => client.query(sql, values)),
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
