/** The queue on BullMQ's own Postgres backend: no Redis needed. */
import { createPostgresBackend, withBackend } from 'bullmq';
import { type Backend, type LaneJobs, type LaneWorker, QUEUE, workerOptions } from './contract.ts';

/** Two are enough for any number of workers in a process, since each asks for little. */
const POOL_SIZE = 2;
const CONNECT_MS = 5000;

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
  const jobs = new Queue(QUEUE, { connection: { ...connection, migrate: true } }) as unknown as LaneJobs;
  jobs.on('error', onError);
  await jobs.waitUntilReady();

  return {
    jobs: () => jobs,
    work(process, settings) {
      const options = { connection, ...workerOptions(settings) };
      const worker = new Worker(QUEUE, process, options) as unknown as LaneWorker;
      worker.on('error', onError);
      return worker;
    },
    ping: () => jobs.getWaitingCount(),
    close: () => jobs.close(),
  };
}
