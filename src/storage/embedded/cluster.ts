/** The embedded Postgres under one DATA_DIR: found running, started, stopped. Who may do that is `owner.ts`'s affair. */
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../errors.ts';
import { type Account, postgresAccount } from './account.ts';
import { postgresBinaries, SHARED_HOME } from './binaries.ts';
import { initialise, SUPERUSER } from './initialise.ts';
import { noteLink } from './leftovers.ts';
import { makeDataDir, placeIn } from './place.ts';
import { forget, isAlive, readPostmaster, watchRecovery } from './postmaster.ts';
import { run } from './run.ts';

/** Recovery after a crash may replay for a while, and a server that starts slowly must not be taken for a dead one. */
const START_SECONDS = 60;
/**
 * So long without anything done is no recovery. Postgres 18 was seen to wait for ever after a recovery had met a full disk,
 * with nobody to wait for or for one who waits itself; told to stop, it does, and starts again.
 */
const WEDGED_MS = 10_000;
/** After five, Postgres kills those of its processes that do not go. */
const STOP_WEDGED_SECONDS = 10;
/** Well within the ten seconds that a shutdown may take. */
const STOP_SECONDS = 5;
const NAMELESS_MS = 1500;

export interface Cluster {
  home: string;
  data: string;
  programs: string;
  account: Account | null;
  password: string;
}

/** The cluster under a DATA_DIR, made on first use. Nothing is started yet. */
export async function prepareCluster(dataDir: string, say: (line: string) => void): Promise<Cluster> {
  const account = postgresAccount();
  makeDataDir(dataDir, account);
  const { folder: programs, version } = postgresBinaries(account, say);
  const place = placeIn(dataDir);
  if (!existsSync(place)) await initialise(dataDir, programs, account, say);

  const home = realpathSync(place);
  noteLink(SHARED_HOME, home, place);
  const data = join(home, 'data');
  refuseOtherVersion(place, Number(readFileSync(join(data, 'PG_VERSION'), 'utf8')), version);
  return { home, data, programs, account, password: readFileSync(join(home, 'password'), 'utf8') };
}

/** The files of one major version are nothing to another. */
function refuseOtherVersion(place: string, made: number, version: string): void {
  const ours = Number.parseInt(version, 10);
  if (made === ours) return;
  throw new StartError(
    made > ours
      ? `${place} was made by Postgres ${made} and this is ${version}: start the release that made it.`
      : `${place} was made by Postgres ${made} and this is ${version}. With the release that ran on it last, write what it ` +
          'holds to a file: npm run dump -- FILE. Then, with this one, set DATA_DIR to another folder, and npm run load -- FILE.',
  );
}

export function clusterUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** The port of a server that runs already, also one that a killed process left behind; null when there is none. */
export async function findRunning(cluster: Cluster): Promise<number | null> {
  const deadline = Date.now() + START_SECONDS * 1000;
  const isRecovering = watchRecovery();
  let saneAt = Date.now();
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(cluster.data);
    if (!postmaster) return null;
    const answer = postmaster.port > 0 ? await ask(cluster, postmaster.port) : 'silent';
    if (answer === 'ready') return postmaster.port;
    // Only the server's own word or a live process is believed; the file alone proves nothing.
    if (answer === 'silent' && !isAlive(postmaster, cluster.data)) {
      forget(cluster.data);
      return null;
    }
    if (answer !== 'starting' || isRecovering(postmaster)) saneAt = Date.now();
    if (Date.now() - saneAt > WEDGED_MS) {
      await pgCtl(cluster, ['stop', '-m', 'immediate', '-w', '-t', `${STOP_WEDGED_SECONDS}`], STOP_WEDGED_SECONDS);
      saneAt = Date.now();
    }
    await sleep(50);
  }
  throw new StartError(`the Postgres in ${cluster.home} runs but does not answer: see ${join(cluster.home, 'log')}.`);
}

async function ask(cluster: Cluster, port: number): Promise<'ready' | 'starting' | 'stopping' | 'silent'> {
  const client = new pg.Client({
    connectionString: clusterUrl(cluster, port, 'postgres'),
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('show data_directory');
    return realpathSync(rows[0].data_directory) === realpathSync(cluster.data) ? 'ready' : 'silent';
  } catch (error) {
    // 57P03 cannot_connect_now: starting up, recovering or shutting down.
    const { code, message } = error as { code?: string; message: string };
    return code !== '57P03' ? 'silent' : message.includes('shutting down') ? 'stopping' : 'starting';
  } finally {
    await client.end().catch(() => {});
  }
}

/** Starts the server on the wanted port, or on a free one; tries again when the port was taken meanwhile. */
export async function startCluster(
  cluster: Cluster,
  wantedPort: number | null,
  settings: string[] = [],
): Promise<number> {
  const log = join(cluster.home, 'log');
  let failure = '';
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = wantedPort ?? (await freePort());
    // Each start begins a new log: without a bound of its own the old one would grow for ever.
    if (existsSync(log) && statSync(log).size > 1_000_000) rmSync(log);
    const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
    const started = await pgCtl(
      cluster,
      ['start', '-w', '-t', `${START_SECONDS}`, '-l', log, '-o', options],
      START_SECONDS,
    );
    if (started.code === 0) return port;
    // Another start may have come first, or its backends still be going after a kill: look again before giving up.
    const running = await findRunning(cluster);
    if (running) return running;
    failure = lastComplaint(log) ?? started.output;
    await sleep(200);
  }
  throw new StartError(`the embedded Postgres did not start: ${failure} (log: ${log})`);
}

export async function stopCluster(cluster: Cluster): Promise<void> {
  const stop = (mode: string) => pgCtl(cluster, ['stop', '-m', mode, '-w', '-t', `${STOP_SECONDS}`], STOP_SECONDS);
  if ((await stop('fast')).code !== 0 && readPostmaster(cluster.data)) await stop('immediate');
}

/**
 * Ends a server whose folder is gone, or was made anew by another, so that pg_ctl cannot find it any more. At once: it has
 * nothing left to write to. Process ids come round again, so each time it is asked whether this one is still the server's.
 */
export async function endNameless(pid: number, isServer: (pid: number) => boolean): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    if (!isServer(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
      return;
    }
    for (const late = Date.now() + NAMELESS_MS; isServer(pid) && Date.now() < late; ) await sleep(20);
  }
}

function pgCtl(cluster: Cluster, args: string[], seconds: number) {
  const options = { account: cluster.account, cwd: cluster.home, timeoutMs: (seconds + 1) * 1000 };
  return run(join(cluster.programs, 'pg_ctl'), ['-D', cluster.data, '-s', ...args], options);
}

function lastComplaint(log: string): string | undefined {
  if (!existsSync(log)) return undefined;
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.findLast((line) => /FATAL|PANIC|error/.test(line));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
