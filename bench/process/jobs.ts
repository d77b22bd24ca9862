/** What one would write first, as a process of its own: a BullMQ job for each document, or for nothing at all. */
import { createPostgresBackend, type Processor, Queue, Worker, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { openDatabase } from '../../src/storage/database.ts';
import { WARM_UP_SEED } from '../figures/sizes.ts';
import type { Content } from '../parts/documents.ts';
import { sentencesOf, take } from '../parts/sentences.ts';
import { runStages } from './job-stages.ts';

export type Work = 'stages' | 'document' | 'nothing';

const [databaseUrl = '', redisUrl = '', work, concurrency] = process.argv.slice(2);
const NAME = 'documents';
const ADD_AT_ONCE = 1000;

const db = openDatabase({ url: databaseUrl, poolSize: Number(concurrency), timeoutMs: 10_000, onIdleError: () => {} });
let done = 0;

async function findDocument(id: number): Promise<Content> {
  const { rows } = await db.query<Content>('select name, type, text from obvious where id = $1', [id]);
  if (!rows[0]) throw new Error(`there is no document ${id}`);
  return rows[0];
}

async function finish(id: number): Promise<void> {
  await db.query(`update obvious set state = 'processed', finished_at = now() where id = $1`, [id]);
  done++;
}

const processors: Record<Work, Processor<{ id: number }>> = {
  async stages({ data: { id } }) {
    const { claims, count, keys, groups, values } = runStages(await findDocument(id));
    await db.query('insert into obvious_claims values ($1, $2, $3, $4, $5, $6)', [
      id,
      claims,
      count,
      keys,
      groups,
      values,
    ]);
    await finish(id);
  },
  async document({ data: { id } }) {
    await findDocument(id);
    await finish(id);
  },
  async nothing() {
    done++;
  },
};

const processor = processors[work as Work];
const options = { concurrency: Number(concurrency), autorun: false };

async function open() {
  if (redisUrl) {
    const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
    return { queue: new Queue(NAME, { connection }), worker: new Worker(NAME, processor, { connection, ...options }) };
  }
  const postgres = withBackend(createPostgresBackend);
  const connection = { connectionString: databaseUrl, max: Number(concurrency) };
  const queue = new postgres.Queue(NAME, { connection: { ...connection, migrate: true } });
  await queue.waitUntilReady();
  return { queue, worker: new postgres.Worker(NAME, processor, { connection, ...options }) };
}

const { queue, worker } = await open();
worker.on('error', (error) => process.stderr.write(`${error.stack}\n`));

process.on('message', async (message: string) => {
  const [verb, count] = message.split(' ');
  if (verb === 'add') {
    const jobs = Array.from({ length: Number(count) }, (_, i) => ({
      name: 'document',
      data: { id: i + 1 },
      opts: { removeOnComplete: true, removeOnFail: true },
    }));
    for (let at = 0; at < jobs.length; at += ADD_AT_ONCE) await queue.addBulk(jobs.slice(at, at + ADD_AT_ONCE));
    process.send?.({});
  }
  // Only what takes most of the time; ours is warmed up on its whole way.
  if (verb === 'warm-up') {
    for (const { name, text } of take(sentencesOf({ seed: WARM_UP_SEED, scopes: 1, perScope: 1 }), Number(count)))
      runStages({ name, type: 'txt', text });
    process.send?.({});
  }
  if (verb === 'run') {
    void worker.run();
    process.send?.({});
  }
  if (verb === 'done') process.send?.({ done });
});
process.on('disconnect', () => process.exit());
process.send?.({});
