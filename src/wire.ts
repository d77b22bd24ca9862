/** Builds the service from its configuration: store, keyring, queue, kernel, app. Whatever is opened registers its closer on the spot. */
import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { chores } from './chores.ts';
import { Closers } from './closers.ts';
import { isLoopback, reachableUrl } from './config.ts';
import { Committer } from './domain/accept/committer.ts';
import { Admission } from './domain/admission.ts';
import { Convergence } from './domain/convergence.ts';
import type { Database } from './domain/database.ts';
import { type EventFeed, openEventFeed } from './domain/event-feed.ts';
import { type FirstKeys, makeFirstKeys } from './domain/first-keys.ts';
import { Health } from './domain/health.ts';
import { Keyring } from './domain/keyring.ts';
import { listOperatorKeys } from './domain/keys.ts';
import { Readiness } from './domain/readiness.ts';
import { Waiters } from './domain/wait/waiters.ts';
import { StartError } from './errors.ts';
import { ProcessFigures } from './figures/process.ts';
import type { App } from './http/deps.ts';
import { Exports } from './http/exports.ts';
import { IngestStreams } from './http/ingest-stream/streams.ts';
import { KeyWatch } from './http/key-watch.ts';
import { Streams } from './http/streams.ts';
import { turnOf } from './http/waiting.ts';
import { kernelSettings, weightsOf } from './kernel-settings.ts';
import { type Log, quietly } from './log.ts';
import { type LaneQueue, openLaneQueue } from './queue/lane-queue.ts';
import { checkRedis } from './queue/redis.ts';
import { LocalKernel } from './runtime/kernel.ts';
import type { Config } from './settings.ts';
import { Slots } from './slots.ts';
import { openStore, type Store } from './storage/open.ts';

export interface Service {
  url: string;
  firstKeys: FirstKeys | null;
  app: App;
  db: Database;
  /** Tells whoever asks that this process is about to end; all that comes is served as before. */
  drain(): void;
  close(): Promise<void>;
}

/** All of it within the 10 s that a shutdown may take. */
const HTTP_CLOSE_MS = 2000;
const BATCHES_CLOSE_MS = 1500;
const SERVING_CLOSE_MS = 3500;
const CHORE_CLOSE_MS = 300;
const EVENTS_CLOSE_MS = 300;
const COMMITTER_CLOSE_MS = 1000;
const QUEUE_CLOSE_MS = 600;
const KEYRING_CLOSE_MS = 300;
const STORE_CLOSE_MS = 4000;

/** One connection in so many is for what tenants read; Postgres has a core for each of them, then, on a small machine. */
const READS_SHARE = 5;
/** So many delete documents or decide contradictions at once, each on a connection. */
const CHANGES = 2;

/** What documents are read with: a module for worker threads. */
const PIPELINE = new URL('./runtime/pipeline-thread.ts', import.meta.url);

export async function startService(config: Config, log: Log, pipeline = PIPELINE): Promise<Service> {
  const closers = new Closers(log);
  const figures = new ProcessFigures();
  let events: EventFeed | null = null;
  let committer: Committer | null = null;
  try {
    const store = await openStore({
      databaseUrl: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DB_POOL_SIZE,
      timeoutMs: config.DB_TIMEOUT_MS,
      onCommit: () => events?.ring(),
      holder: 'service',
      log,
    });
    closers.add('store', STORE_CLOSE_MS, store.close);

    const { db, accepting } = store;
    const keyring = new Keyring({
      db: accepting,
      adminKeys: config.ADMIN_API_KEYS,
      internalsKeys: config.INTERNALS_API_KEYS,
      onError: (error) => log.warn({ err: error }, 'could not note when keys were last used'),
    });
    closers.add('keyring', KEYRING_CLOSE_MS, () => keyring.close());
    figures.cache('keys', keyring.counts);
    await keyring.readStandby();

    const feed = await openEventFeed(store, quietly(log), { lag: figures.eventLag });
    events = feed;
    closers.add('events', EVENTS_CLOSE_MS, () => feed.close());
    const keyWatch = new KeyWatch(keyring);
    const streams = new Streams({
      hub: feed.hub,
      keyWatch,
      most: config.MAX_STREAMS,
      mostPerTenant: config.TENANT_STREAMS,
    });

    const ingestStreams = new IngestStreams({
      keyWatch,
      silenceMs: config.REQUEST_TIMEOUT_MS,
      most: config.MAX_INGEST_STREAMS,
      mostPerTenant: config.TENANT_INGEST_STREAMS,
    });
    figures.ingestStreams = () => ingestStreams.size;

    const convergence = new Convergence(weightsOf(config));
    const reads = new Slots(Math.ceil(config.DB_POOL_SIZE / READS_SHARE));
    const waiters = new Waiters({
      db,
      watch: feed.watch,
      convergence,
      turn: turnOf(reads, config.HANDLER_TIMEOUT_MS),
      most: config.MAX_WAITERS,
      mostPerTenant: config.TENANT_WAITERS,
    });
    const queue = await openQueue(config, store, log);
    closers.add('queue', QUEUE_CLOSE_MS, () => queue.close());
    const kernel = new LocalKernel({
      db,
      schema: store.schema,
      queue,
      ...kernelSettings(config, pipeline, convergence),
      giveWayTo: () => committer?.inHand ?? null,
      eventsUp: () => feed.isUp(),
      streams: () => streams.size,
      waiters: () => waiters.resting,
      eventPosition: () => feed.hub.position,
      process: figures,
      onSettled: () => feed.ring(),
      onTrouble: quietly(log),
      onCrash: (error, workerId) => log.error({ err: error, worker_id: workerId }, 'a worker crashed'),
      onFailed: (failed) => log.warn(failed, 'a document has failed'),
    });

    const onQueueTrouble = quietly(log);
    committer = new Committer({
      db: accepting,
      answerWithinMs: config.HANDLER_TIMEOUT_MS,
      scopesPerTenant: config.TENANT_SCOPES,
      onQueued: (documents, awakened) => kernel.arrived(documents, awakened),
      onError: (error) => onQueueTrouble(error, 'cannot tell the workers what was queued'),
      flushes: figures.flushes,
    });
    closers.add('committer', COMMITTER_CLOSE_MS, async () => committer?.close());

    for (const chore of chores(db, config, quietly(log))) {
      closers.add('chore', CHORE_CLOSE_MS, () => chore.stop());
      chore.start();
    }

    const admission = new Admission(accepting, {
      rate_per_s: config.TENANT_RATE_PER_S,
      burst: config.TENANT_BURST,
      backlog: config.TENANT_BACKLOG,
      bytes_per_s: config.TENANT_BYTES_PER_S,
      reads_per_s: config.TENANT_READS_PER_S,
      reports_per_s: config.TENANT_REPORTS_PER_S,
      scopes: config.TENANT_SCOPES,
    });
    figures.cache('tenants', admission.counts);
    const exports = new Exports({
      ...{ db, reads, admission, keyWatch },
      answerWithinMs: config.HANDLER_TIMEOUT_MS,
      most: config.MAX_EXPORTS,
      mostPerTenant: config.TENANT_EXPORTS,
    });
    const requireTenantKey = config.REQUIRE_TENANT_KEY;
    if (!requireTenantKey && !isLoopback(config.HOST)) {
      log.warn('anybody who reaches this service and knows a tenant id may post for it: set REQUIRE_TENANT_KEY=true');
    }

    const health = new Health(db, store.schema);
    const isWorker = config.ROLE === 'worker';
    const readiness = new Readiness(
      async () => (await health.whyUnavailable()) ?? (isWorker ? kernel.whyIdle() : null),
    );
    const drain = () => {
      health.stop();
      void readiness.stop();
    };
    const app = await buildApp(
      {
        servesApi: !isWorker,
        requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
        handlerTimeoutMs: config.HANDLER_TIMEOUT_MS,
        onUnavailable: quietly(log),
        maxConnections: config.MAX_CONNECTIONS,
        corsOrigins: config.CORS_ORIGINS,
        trustProxy: config.TRUST_PROXY,
      },
      {
        db,
        keyring,
        keyWatch,
        health,
        readiness,
        accepter: committer,
        admission,
        kernel,
        streams,
        ingestStreams,
        waiters,
        exports,
        answerWithinMs: config.HANDLER_TIMEOUT_MS,
        requireTenantKey,
        reads,
        changes: new Slots(CHANGES),
        scopesPerTenant: config.TENANT_SCOPES,
        convergence,
        figures,
      },
      log,
    );
    closers.add('serving', SERVING_CLOSE_MS, async () => {
      drain();
      // Before the server waits for its connections: a stream has no end of its own, and who waits has one that is far.
      keyWatch.close();
      streams.close();
      ingestStreams.close();
      waiters.close();
      exports.close();
      await Promise.all([closeHttp(app), kernel.close(BATCHES_CLOSE_MS)]);
    });

    await kernel.start();
    await readiness.start();
    const url = await listen(app, config);
    return { url, firstKeys: await firstKeys(store, config, log), app, db, drain, close: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function openQueue({ REDIS_URL: redisUrl }: Config, store: Store, log: Log): Promise<LaneQueue> {
  if (redisUrl) await checkRedis(redisUrl, (line) => log.warn(line));
  const onTrouble = quietly(log);
  const onError = (error: Error) => onTrouble(error, 'the queue has a problem; documents are accepted and wait');
  return openLaneQueue({ redisUrl, databaseUrl: store.url, onError });
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    // Of several addresses one: for localhost, Fastify would open a second server, which has none of the bounds of ours.
    const { address: host } = await lookup(config.HOST, { order: 'ipv4first' });
    await app.listen({ host, port: config.PORT });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const where = `${config.HOST}:${config.PORT}`;
    if (code === 'EADDRINUSE') throw new StartError(`${where} is taken by another process. Stop it, or set PORT.`);
    if (code === 'EACCES') throw new StartError(`may not listen on ${where}. Set PORT to 1024 or above.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${config.HOST} is not an address of this machine. Set HOST.`);
    throw error;
  }
  return reachableUrl(config.HOST, (app.server.address() as AddressInfo).port);
}

/** Requests in hand may finish; a client that drips or dawdles may not hold the rest up. */
async function closeHttp(app: App): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), HTTP_CLOSE_MS);
  await app.close().finally(() => clearTimeout(cut));
}

async function firstKeys({ db, embedded }: Store, config: Config, log: Log): Promise<FirstKeys | null> {
  if (config.ADMIN_API_KEYS.length + config.INTERNALS_API_KEYS.length > 0) return null;
  if (embedded) return makeFirstKeys(db);
  if ((await listOperatorKeys(db)).length === 0) log.warn('there is no operator key yet: npm run keys -- issue admin');
  return null;
}
