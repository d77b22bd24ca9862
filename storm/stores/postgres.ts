/** A Postgres for the storm to strike, from the outside: its own one, or the one that the service has embedded. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, clusterUrl, prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { closeLater } from '../ending.ts';
import { sleep, until } from '../waiting.ts';
import { freePort } from './ports.ts';

const ASK_MS = 20_000;

export interface Struck {
  /** Of the database that the service uses; null while it cannot be known. */
  url(): string | null;
  /** The postmaster. */
  pid(): number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: whoever asks knows what for.
type Row = any;

/** One statement on a connection of its own. */
export async function ask(struck: Struck, sql: string, values: unknown[] = []): Promise<Row[]> {
  const url = struck.url();
  if (!url) throw new Error('Postgres is not there');
  const client = new pg.Client({
    connectionString: url,
    application_name: 'storm',
    connectionTimeoutMillis: 5000,
    query_timeout: ASK_MS,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The one under a service's DATA_DIR: found by the files that Postgres and the service keep there. */
export function embeddedIn(dataDir: string): Struck {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  const line = (n: number) => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[n]) || null : null);
  return {
    url() {
      const port = line(3);
      const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8');
      return port ? `postgres://docket:${password}@127.0.0.1:${port}/docket` : null;
    },
    pid: () => line(0),
  };
}

/** At once, as for a stop that waits for nothing; and waits until it is gone. One that is just starting is waited for. */
export async function endPostmaster(struck: Struck): Promise<void> {
  await until(() => struck.pid() !== null, 500);
  const pid = struck.pid();
  if (!pid) return;
  const isGone = () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  if (isGone()) return;
  process.kill(pid, 'SIGQUIT');
  await until(isGone, 10_000);
}

export interface OwnOptions {
  folder: string;
  /** `name=value` pairs for its command line. */
  settings?: string[];
  env?: Record<string, string>;
}

/** As a unit of a machine's init would keep it: whenever it ends, it is started again. */
export class OwnPostgres implements Struck {
  readonly #cluster: Cluster;
  readonly #port: number;
  readonly #options: OwnOptions;
  #child: ChildProcess | null = null;
  #closing = false;

  private constructor(cluster: Cluster, port: number, options: OwnOptions) {
    this.#cluster = cluster;
    this.#port = port;
    this.#options = options;
  }

  static async start(options: OwnOptions): Promise<OwnPostgres> {
    const cluster = await prepareCluster(options.folder, () => {});
    const postgres = new OwnPostgres(cluster, await freePort(), options);
    closeLater(() => postgres.#close());
    postgres.#run();
    const isUp = async () => (await postgres.#asOwner('select 1')) !== null;
    if (!(await until(isUp, 30_000))) throw new Error('Postgres did not start');
    await postgres.#asOwner('create database docket');
    return postgres;
  }

  #run(): void {
    const { account, data, programs, home } = this.#cluster;
    const log = openSync(join(home, 'log'), 'a');
    const settings = ['max_connections=200', ...(this.#options.settings ?? [])].flatMap((one) => ['-c', one]);
    this.#child = spawn(join(programs, 'postgres'), ['-D', data, '-p', `${this.#port}`, ...settings], {
      ...(account ?? {}),
      cwd: home,
      env: { LC_ALL: 'C', ...this.#options.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child.once('exit', async () => {
      await sleep(100);
      if (!this.#closing) this.#run();
    });
  }

  async #asOwner(sql: string): Promise<Row[]> {
    return ask({ url: () => clusterUrl(this.#cluster, this.#port, 'postgres'), pid: () => null }, sql);
  }

  url = () => clusterUrl(this.#cluster, this.#port, 'docket');
  /** The same by another port: that of a proxy. */
  urlBy = (port: number) => clusterUrl(this.#cluster, port, 'docket');
  pid = () => this.#child?.pid ?? null;
  get port(): number {
    return this.#port;
  }

  async #close(): Promise<void> {
    this.#closing = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await Promise.race([ended, sleep(5000)]);
  }
}
