/** A Postgres with fsync and a Redis of the bench's own, and databases in it. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { createTenant } from '../../src/domain/tenants.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { openEmbedded } from '../../src/storage/embedded/owner.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { closeLater } from './ending.ts';
import { machine } from './generator.ts';
import { say } from './report.ts';

export interface Stores {
  postgresUrl: string;
  /** Empty when there is no redis-server on this machine. */
  redisUrl: string;
}

/** Of the cores: more than this before a run disturbs it. */
const BUSY = 0.25;

export interface Tenant {
  id: string;
  key: string;
}

/** `settings` are `name=value` pairs for Postgres. */
export async function startStores(settings: string[] = []): Promise<Stores> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-bench-'));
  // As root, Postgres runs under another account, which has to get in here.
  chmodSync(dataDir, 0o711);
  closeLater(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbedded({ dataDir, holder: 'docket bench', say: () => {}, settings });
  closeLater(() => postgres.close());
  const redisUrl = await startRedis(dataDir);
  say(`${machine()}; Postgres with fsync, Redis ${redisUrl ? 'there' : 'not there: apt-get install redis-server'}`);
  const [load = 0] = loadavg();
  if (load > BUSY * availableParallelism())
    say(
      `the load of this machine is ${load.toFixed(1)} before anything began: others are at work, and figures say less`,
    );
  return { postgresUrl: postgres.url, redisUrl };
}

async function startRedis(folder: string): Promise<string> {
  if (spawnSync('redis-server', ['--version']).error) return '';
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  // The service's promise does not rest on Redis, so the obvious one is not slowed by making Redis durable either.
  const options = ['--bind', '127.0.0.1', '--save', '', '--maxmemory-policy', 'noeviction', '--dir', folder];
  const child = spawn('redis-server', ['--port', `${port}`, ...options], { stdio: 'ignore' });
  closeLater(() => child.kill());
  return `redis://127.0.0.1:${port}`;
}

/** An empty Redis database of this number. */
export async function emptyRedis(redisUrl: string, number: number): Promise<string> {
  const url = `${redisUrl}/${number}`;
  await withRedis(url, (redis) => redis.flushdb());
  return url;
}

export async function withRedis<Result>(url: string, work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url);
  return work(redis).finally(() => redis.disconnect());
}

export const nameOf = (what: string) => `bench_${what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
const inDatabase = (server: string, name: string) => server.replace(/[^/]+$/, name);

/** A migrated database with tenants. */
export async function newDatabase(server: string, what: string, tenants: number) {
  const name = nameOf(what);
  await query(server, `create database ${name}`);
  const url = inDatabase(server, name);
  await migrate(url);
  const db = openDatabase({ url, poolSize: 2, timeoutMs: 600_000, onIdleError: () => {} });
  const made: Tenant[] = [];
  for (let i = 0; i < tenants; i++) {
    const { tenant, key } = await createTenant(db, `tenant ${i}`, BY_COMMAND_LINE);
    made.push({ id: tenant.tenant_id, key });
  }
  await db.close();
  return { url, tenants: made };
}

/** The same database once more; the one before it of this name is gone. Nobody may be connected to the original. */
export async function cloneDatabase(url: string, what: string): Promise<string> {
  const name = nameOf(what);
  const server = inDatabase(url, 'postgres');
  await query(server, `drop database if exists ${name} with (force)`);
  await query(server, `create database ${name} template ${new URL(url).pathname.slice(1)} strategy file_copy`);
  return inDatabase(url, name);
}

export async function dropDatabase(url: string): Promise<void> {
  await query(inDatabase(url, 'postgres'), `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

// biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for.
export async function query<Row extends pg.QueryResultRow = any>(url: string, sql: string, values?: unknown[]) {
  return withClient(url, async (client) => (await client.query<Row>(sql, values)).rows);
}

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}
