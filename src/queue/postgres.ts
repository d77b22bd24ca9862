/** The queue on BullMQ's own Postgres backend: no Redis needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, type PostgresConnectionOptions, withBackend } from 'bullmq';
import pg from 'pg';
import { type Backend, becomesReady, QUEUE, type TurnJobs, workerOptions } from './contract.ts';

/** Two are enough for any number of workers in a process, since each asks for little; and one that listens. */
const POOL_SIZE = 2;
const CONNECT_MS = 5000;
const AGAIN_MS = 500;
/** Where BullMQ's tables are. */
const SCHEMA = 'bullmq';

const { Queue, Worker } = withBackend(createPostgresBackend);

export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Backend> {
  const connection = {
    connectionString: url,
    application_name: 'docket queue',
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
  };
  const jobs = new Queue(QUEUE, { connection: { ...connection, migrate: true } }) as unknown as TurnJobs;
  jobs.on('error', onError);
  await jobs.waitUntilReady();

  return {
    jobs: () => jobs,
    work(process, settings) {
      let closing = false;
      let worker = hire();
      void keep();

      function hire() {
        // BullMQ's own pool has nobody listen to a connection that breaks while it is in use, and Node ends over that.
        const pool = new pg.Pool({ ...connection, max: POOL_SIZE + 1, options: `-c search_path=${SCHEMA}` });
        pool.on('connect', (client) => client.on('error', () => {}));
        const hired = new Worker(QUEUE, process, {
          connection: pool as unknown as PostgresConnectionOptions,
          ...workerOptions(settings),
        });
        hired.on('error', onError);
        hired.once('closed', () => void pool.end().catch(onError));
        return hired;
      }

      /** A worker that found no Postgres at its start would wait for ever. */
      async function keep() {
        while (!closing && !(await becomesReady(worker))) {
          await worker.close(true);
          await sleep(AGAIN_MS);
          if (!closing) worker = hire();
        }
      }

      return {
        close(force) {
          closing = true;
          return worker.close(force);
        },
      };
    },
    ping: () => jobs.getWaitingCount(),
    close: () => jobs.close(),
  };
}
