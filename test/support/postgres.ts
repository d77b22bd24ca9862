/** One Postgres for all test files, with a migrated template; each file then takes a database of its own from it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openLaneQueue } from '../../src/queue/lane-queue.ts';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/owner.ts';
import { migrate } from '../../src/storage/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** A folder with a new cluster in it, never started: to be copied by those who need one of their own. */
    newCluster: string;
  }
}

export const TEMPLATE = 'docket_template';

export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-test-'));
  // As root, Postgres runs under another account, which has to get in here.
  chmodSync(dataDir, 0o711);
  const { home } = await prepareCluster(dataDir, () => {});
  const newCluster = `${home}-new`;
  copyFolder(home, newCluster);
  project.provide('newCluster', newCluster);
  const postgres = await openEmbedded({
    dataDir,
    holder: 'docket tests',
    say: () => {},
    // Nothing here outlives the run, and no test pulls the plug.
    settings: ['fsync=off', 'max_connections=400'],
  });
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  const template = inDatabase(postgres.url, TEMPLATE);
  await migrate(template);
  // BullMQ's own tables too, so that no file has to wait for them.
  const queue = await openLaneQueue({ redisUrl: undefined, databaseUrl: template, onError: () => {} });
  await queue.close();
  await admin.end();
  project.provide('postgresUrl', postgres.url);

  return async () => {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** With its owners: as root, Postgres runs under another account. */
export function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

export function inDatabase(url: string, name: string): string {
  const named = new URL(url);
  named.pathname = name;
  return named.href;
}
