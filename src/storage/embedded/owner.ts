/** One process owns an embedded cluster: it holds a lock inside Postgres, which a crash releases by itself. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../errors.ts';
import { SHARED_HOME } from './binaries.ts';
import {
  type Cluster,
  clusterUrl,
  endNameless,
  findRunning,
  prepareCluster,
  startCluster,
  stopCluster,
} from './cluster.ts';
import { isClusterAt, watchFolder } from './folder-watch.ts';
import { findLeftovers } from './leftovers.ts';
import { type Postmaster, readPostmaster, standsIn } from './postmaster.ts';
import { quoted } from './quoted.ts';

const DATABASE = 'docket';
/** Any number that means "the owner" to every process that looks. */
const OWNER_LOCK = 4242;
const RETRY_MS = 500;

/** Without the path: it is shown to anybody who asks for health. */
const LOST =
  'The data folder was removed or moved while the service runs: nothing can be stored. Stop the service and start it again.';

export interface EmbeddedPostgres {
  url: string;
  /** Why nothing may be asked of it any more, though it may answer for a while. */
  lost(): string | null;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Shown to a second process that wants the same DATA_DIR. */
  holder: string;
  say: (line: string) => void;
  /** For what somebody has to do something about; said like the rest when not given. */
  complain?: (line: string) => void;
  /** For tests: `name=value` pairs for the server's command line. */
  settings?: string[];
}

/** Starts or adopts the cluster and owns it until closed; a StartError names the process that owns it already. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir, options.say);
  for (const { home, place } of cluster.account ? findLeftovers(SHARED_HOME, cluster.home) : [])
    options.say(`${place} does not lead to ${home} any more; if nobody needs that data: rm -rf ${quoted(home)}`);
  const running = await findRunning(cluster);
  let port = running ?? (await startCluster(cluster, null, options.settings));
  let owner = await takeOwnership(cluster, port, options);
  if (running) options.say(`took over the embedded Postgres that was still running on port ${port}`);
  let pid = readPostmaster(cluster.data)?.pid;
  let isOwner = true;
  /** While a server is brought back, its process is not known yet. */
  let isStarting = false;
  let closing = false;
  const folder = watchFolder(join(options.dataDir, 'postgres'), cluster.password, async (isGone) => {
    if (isGone) (options.complain ?? options.say)(await describeLoss(options.dataDir, cluster));
    else options.say(`the data folder ${options.dataDir} is there again`);
  });

  /** Nobody else restarts an embedded server that died: when the owner's connection ends, bring both back. */
  const watch = () => {
    owner.once('end', async () => {
      isOwner = false;
      while (!closing) {
        // Nothing may be started where there is nothing, or where another cluster was made since.
        if ((await folder.isThere()) === false) {
          await sleep(RETRY_MS);
          continue;
        }
        try {
          const found = await findRunning(cluster);
          isStarting = found === null;
          port = found ?? (await startCluster(cluster, port, options.settings));
          owner = await takeOwnership(cluster, port, options);
          isOwner = true;
          pid = readPostmaster(cluster.data)?.pid;
          isStarting = false;
          options.say(`the embedded Postgres had ended and is back on port ${port}`);
          return watch();
        } catch (error) {
          options.say(`the embedded Postgres is down: ${(error as Error).message}`);
          await sleep(RETRY_MS);
        }
      }
    });
  };
  watch();

  /** Another cluster may have been made in the place of ours since: pg_ctl would stop the server of that one. */
  const isOurs = async (found: Postmaster | null) =>
    found !== null && (found.pid === pid || (isStarting && (await isClusterAt(cluster.home, cluster.password))));

  return {
    url: clusterUrl(cluster, port, DATABASE),
    lost: () => (folder.isGone ? LOST : null),
    async close() {
      closing = true;
      folder.close();
      // The lock goes with the server: released before, a second start could adopt a server that is about to stop.
      if (await isOurs(readPostmaster(cluster.data))) await stopCluster(cluster);
      else if (pid !== undefined) await endNameless(pid, (id) => isOwner || standsIn(id, cluster.data));
      await owner.end().catch(() => {});
    },
  };
}

/** For a command beside the service: uses a server that runs, whoever owns it, or owns one for as long as it takes. */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir, options.say);
  const port = await findRunning(cluster);
  if (!port) return openEmbedded(options);
  return { url: clusterUrl(cluster, port, DATABASE), lost: () => null, close: async () => {} };
}

async function describeLoss(dataDir: string, { home, password }: Cluster): Promise<string> {
  const what = `the data folder ${dataDir} was removed or moved while the service runs, and nothing is accepted any more`;
  // Root's data may be elsewhere, with only a link to it in the folder.
  if (await isClusterAt(home, password))
    return (
      `${what}; its data is still in ${home}: ` +
      `mkdir -p ${quoted(dataDir)} && ln -s ${quoted(home)} ${quoted(join(dataDir, 'postgres'))}`
    );
  return `${what}: unless it was moved, what it held is gone. Stop the service and start it again`;
}

async function takeOwnership(cluster: Cluster, port: number, options: EmbeddedOptions): Promise<pg.Client> {
  const owner = new pg.Client({
    connectionString: clusterUrl(cluster, port, 'postgres'),
    application_name: `${options.holder}, process ${process.pid}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  owner.on('error', () => {});
  await owner.connect();
  if (!(await tryLock(owner))) {
    const holder = await describeHolder(owner);
    await owner.end();
    throw new StartError(
      `${options.dataDir} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder.`,
    );
  }
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await owner.query(`create database ${DATABASE}`);
  return owner;
}

/** Tries for a second: after a kill, Postgres takes a moment to see that the old owner's connection is gone. */
async function tryLock(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [OWNER_LOCK]);
    if (rows[0].mine) return true;
    await sleep(100);
  }
  return false;
}

async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select application_name, to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [OWNER_LOCK],
  );
  return rows[0] ? `${rows[0].application_name} (since ${rows[0].since} UTC)` : 'a process that is just ending';
}
