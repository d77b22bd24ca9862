/** Statements as Postgres counts them, by what they are for. The bench's own are in another database. */
import { query, type Stores } from '../parts/stores.ts';

/** For the server's command line: it cannot be loaded later. */
export const COUNTING = 'shared_preload_libraries=pg_stat_statements';

const PURPOSES: [string, RegExp][] = [
  ['accept', /accept_new_documents/],
  ['read the log', /from events\b/],
  ['notify', /^notify/i],
  ['look for who waits', /from unnest\(.*\) with ordinality as wanted\b/],
  ['check keys', /from api_keys\b/],
];

export interface Statements {
  all: number;
  /** By purpose. */
  of: Record<string, number>;
}

export class StatementCount {
  readonly #url: string;
  readonly #database: string;

  private constructor(url: string, database: string) {
    this.#url = url;
    this.#database = database;
  }

  static async open({ postgresUrl }: Stores, databaseUrl: string): Promise<StatementCount> {
    await query(postgresUrl, 'create extension if not exists pg_stat_statements');
    return new StatementCount(postgresUrl, new URL(databaseUrl).pathname.slice(1));
  }

  /** From here on. */
  async begin(): Promise<void> {
    await query(this.#url, 'select pg_stat_statements_reset()');
  }

  async look(): Promise<Statements> {
    const rows = await query<{ query: string; calls: number }>(
      this.#url,
      `select query, calls::float8 from pg_stat_statements s join pg_database d on d.oid = s.dbid where datname = $1`,
      [this.#database],
    );
    const of = Object.fromEntries([...PURPOSES.map(([purpose]) => [purpose, 0]), ['else', 0]]);
    for (const { query, calls } of rows) {
      const [purpose] = PURPOSES.find(([, pattern]) => pattern.test(query)) ?? ['else'];
      of[purpose] += calls;
    }
    return { all: rows.reduce((sum, { calls }) => sum + calls, 0), of };
  }
}
