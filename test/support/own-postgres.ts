/** A Postgres of a test's own, which it may stop, freeze and start again under a running service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { clusterUrl, prepareCluster, startCluster, stopCluster } from '../../src/storage/embedded/cluster.ts';
import { later } from './later.ts';
import { newFolderWithCluster, postmasterOf } from './process.ts';
import { until } from './until.ts';

export interface OwnPostgres {
  url: string;
  stop(): Promise<void>;
  /** Ends it at once: what it has not written is lost. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** All of its processes: it takes connections, and answers nothing. */
  freeze(): void;
  thaw(): void;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = newFolderWithCluster();
  const cluster = await prepareCluster(folder, () => {});
  const settings = ['fsync=off'];
  const port = await startCluster(cluster, null, settings);
  const admin = new pg.Client({ connectionString: clusterUrl(cluster, port, 'postgres') });
  await admin.connect();
  await admin.query('create database docket');
  await admin.end();
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
  };
  later(async () => {
    thaw();
    await stopCluster(cluster);
  });
  return {
    url: clusterUrl(cluster, port, 'docket'),
    stop: () => stopCluster(cluster),
    async crash() {
      const { pid } = postmasterOf(folder);
      process.kill(pid, 'SIGQUIT');
      await until(
        () => existsSync(`/proc/${pid}`),
        (runs) => !runs,
      );
    },
    async start() {
      await startCluster(cluster, port, settings);
    },
    freeze() {
      const { pid } = postmasterOf(folder);
      process.kill(pid, 'SIGSTOP');
      frozen = [pid, ...childrenOf(pid)];
      for (const child of frozen) process.kill(child, 'SIGSTOP');
    },
    thaw,
  };
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}
