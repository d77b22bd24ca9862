/** The queue on Redis, or Valkey. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { StartError } from '../errors.ts';
import { type Backend, becomesReady, PREFIX, QUEUE, type TurnJobs, workerOptions } from './contract.ts';

/** BullMQ's own back-off climbs to 20 s, by which every lane would be late after an outage. */
const RETRY_MS = 500;
const CONNECT_MS = 2000;
const COMMAND_MS = 2000;

const common = {
  retryStrategy: () => RETRY_MS,
  connectTimeout: CONNECT_MS,
  keepAlive: 5000,
};

export function openRedis(url: string, onError: (error: Error) => void): Backend {
  // Commands fail at once while Redis is away: whoever accepts a document does not wait for a nudge.
  const producer = new Redis(url, {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
  });
  producer.on('error', onError);
  let jobs: TurnJobs | null = null;
  let isMaking = false;
  // Made when there is a connection: BullMQ's queue asks for the version first, and never recovers from no answer.
  const makeJobs = async () => {
    if (isMaking) return;
    isMaking = true;
    while (!jobs && producer.status === 'ready') {
      // BullMQ notes every step of a job; nobody reads that here.
      const streams = { events: { maxLen: 100 } };
      const made: TurnJobs = new Queue(QUEUE, { prefix: PREFIX, connection: producer, streams });
      made.on('error', onError);
      if (await becomesReady(made)) jobs = made;
      else {
        await made.close().catch(onError);
        await sleep(RETRY_MS);
      }
    }
    isMaking = false;
  };
  producer.on('ready', () => void makeJobs());

  return {
    jobs: () => (producer.status === 'ready' ? jobs : null),
    work(process, settings) {
      // Without a bound on retries, as a worker's connection must be; BullMQ makes a second one for its blocking calls.
      const connection = new Redis(url, { ...common, maxRetriesPerRequest: null });
      connection.on('error', onError);
      const worker = new Worker(QUEUE, process, { prefix: PREFIX, connection, ...workerOptions(settings) });
      worker.on('error', onError);
      worker.once('closed', () => connection.disconnect());
      return worker;
    },
    ping: () => producer.ping(),
    async close() {
      await jobs?.close().catch(() => {});
      producer.disconnect();
    },
  };
}

/** Whether it can be reached, and whether it would throw jobs away when it is full. */
export async function checkRedis(url: string, warn: (line: string) => void): Promise<void> {
  const client = new Redis(url, { ...common, lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    const [, policy] = (await client.config('GET', 'maxmemory-policy').catch(() => [])) as string[];
    if (policy && policy !== 'noeviction') {
      warn(`Redis runs with maxmemory-policy ${policy}: nudges can be evicted, and lanes then wait; set noeviction`);
    }
  } catch (error) {
    if (/WRONGPASS|NOAUTH|NOPERM/.test((error as Error).message)) {
      throw new StartError(`Redis refuses the credentials in REDIS_URL: ${(error as Error).message}`);
    }
    // It may come back; documents are accepted meanwhile, and every lane is found again.
    warn('Redis does not answer: documents are accepted, and processed once it does');
  } finally {
    client.disconnect();
  }
}
