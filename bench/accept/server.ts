/** One of the servers under test, as a process of its own: the same app and route, with another way of accepting. */
import type { AddressInfo } from 'node:net';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import { buildApp } from '../../src/app.ts';
import { type Accepter, Committer } from '../../src/domain/accept/committer.ts';
import type { Acceptance, Submission } from '../../src/domain/accept/submission.ts';
import { Admission } from '../../src/domain/admission.ts';
import { Convergence } from '../../src/domain/convergence.ts';
import { Health } from '../../src/domain/health.ts';
import { newDocumentId } from '../../src/domain/ids.ts';
import { Keyring } from '../../src/domain/keyring.ts';
import type { Waiters } from '../../src/domain/wait/waiters.ts';
import { ProcessFigures } from '../../src/figures/process.ts';
import type { Exports } from '../../src/http/exports.ts';
import type { IngestStreams } from '../../src/http/ingest-stream/streams.ts';
import type { KeyWatch } from '../../src/http/key-watch.ts';
import type { Streams } from '../../src/http/streams.ts';
import { createLog } from '../../src/log.ts';
import { openLaneQueue } from '../../src/queue/lane-queue.ts';
import { LocalKernel } from '../../src/runtime/kernel.ts';
import { Slots } from '../../src/slots.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { SchemaWatch } from '../../src/storage/schema-watch.ts';

export type Mode = 'ceiling' | 'ours' | 'obvious on Redis' | 'obvious on Postgres';

const convergence = new Convergence({ agreement: 0.55, coverage: 0.25, stability: 0.15, corroboration: 0.05 });
const [mode, url = '', redisUrl = ''] = process.argv.slice(2) as [Mode, string, string];

function accepted({ scopeId, documentId, name, type }: Submission, seq: number): Acceptance {
  const document_id = documentId ?? newDocumentId();
  return {
    replayed: false,
    document: { scope_id: scopeId, document_id, version: 1, seq, name, type, state: 'queued' },
  };
}

/** The route, its validation and its answer, and nothing behind it. */
function ceiling(): Accepter {
  let seq = 0;
  return { isFull: () => false, isAlone: () => true, accept: async (submission) => accepted(submission, seq++) };
}

/** What one would write first: a row and a job for each request. */
async function obvious(db: Database, queue: Pick<Queue, 'add'>): Promise<Accepter> {
  await db.query(
    `create table if not exists obvious (id bigint generated always as identity primary key, tenant_id text, scope_id text,
       document_id text, name text, type text, source text, text text, state text, accepted_at timestamptz default now())`,
  );
  return {
    isFull: () => false,
    isAlone: () => true,
    async accept(submission) {
      const { tenantId, scopeId, documentId, name, type, source, text } = submission;
      const { rows } = await db.query<{ id: string }>(
        `insert into obvious (tenant_id, scope_id, document_id, name, type, source, text, state)
         values ($1, $2, $3, $4, $5, $6, $7, 'queued') returning id`,
        [tenantId, scopeId, documentId ?? newDocumentId(), name, type, source, text],
      );
      const id = rows[0]?.id;
      await queue.add('document', { id }, { removeOnComplete: true, removeOnFail: true });
      return accepted(submission, Number(id));
    },
  };
}

/** As the service has it: counters, events, lanes, and a nudge for each that had nothing to do. */
async function ours(db: Database, kernel: LocalKernel): Promise<Accepter> {
  await kernel.start();
  return new Committer({
    db,
    answerWithinMs: 30_000,
    scopesPerTenant: unlimited.scopes,
    onQueued: (documents, awakened) => kernel.arrived(documents, awakened),
    onError: fail,
    flushes: figures.flushes,
  });
}

/** A node that only accepts. */
async function openKernel(db: Database): Promise<LocalKernel> {
  const queue = await openLaneQueue({ redisUrl: redisUrl || undefined, databaseUrl: url, onError: fail });
  return new LocalKernel({
    db,
    schema: new SchemaWatch(),
    queue,
    giveWayTo: () => null,
    eventsUp: () => true,
    streams: () => 0,
    waiters: () => 0,
    onSettled: () => {},
    onTrouble: fail,
    onCrash: fail,
    onFailed: () => {},
    role: 'api',
    workers: 1,
    turn: {
      ...{ leaseMs: 15_000, turnsPerTenant: 1, attempts: 1, retryBaseMs: 1000, lockPatienceMs: 100 },
      ...{ convergence, unfiledKeys: 0 },
    },
    threads: { threads: 1, module: new URL(import.meta.url), documentTimeoutMs: 5000, memoryMb: 256 },
    indexCacheMb: 0,
    stuckMs: 30_000,
    stallMs: 30_000,
  });
}

/** Nothing of this may fail in a run that counts. */
function fail(error: unknown): never {
  throw error;
}

function redisQueue(): Pick<Queue, 'add'> {
  const { hostname, port } = new URL(redisUrl);
  return new Queue('bench', { connection: { host: hostname, port: Number(port) } });
}

function postgresQueue(): Pick<Queue, 'add'> {
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue('bench', { connection: { connectionString: url, migrate: true } });
}

/** As the service counts. */
const figures = new ProcessFigures();
const db = openDatabase({ url, poolSize: 10, timeoutMs: 10_000, onIdleError: () => {} });
const kernel = await openKernel(db);
const accepters: Record<Mode, () => Accepter | Promise<Accepter>> = {
  ceiling,
  ours: () => ours(db, kernel),
  'obvious on Redis': () => obvious(db, redisQueue()),
  'obvious on Postgres': () => obvious(db, postgresQueue()),
};

/** No I/O at the ceiling, not even to look a tenant up. */
const standing = {
  query: async (_sql: string, [ids]: [string[]]) => ({
    rows: ids.map((tenant_id) => ({ tenant_id, limits: {}, scopes: 0, backlog: 0 })),
  }),
} as unknown as Database;
const unlimited = {
  rate_per_s: 1e9,
  burst: 1e9,
  backlog: 1e9,
  scopes: 1e9,
  bytes_per_s: 1e12,
  reads_per_s: 1e9,
  reports_per_s: 1e9,
};
const app = await buildApp(
  {
    servesApi: true,
    requestTimeoutMs: 15_000,
    handlerTimeoutMs: 30_000,
    maxConnections: 10_000,
    onUnavailable: () => {},
  },
  {
    db,
    keyring: new Keyring({ db, adminKeys: [], internalsKeys: [], onError: () => {} }),
    health: new Health(db, new SchemaWatch()),
    readiness: { whyNot: null },
    accepter: await accepters[mode](),
    admission: new Admission(mode === 'ceiling' ? standing : db, unlimited),
    kernel,
    // Nobody opens one here, and nobody waits.
    streams: {} as Streams,
    ingestStreams: {} as IngestStreams,
    waiters: {} as Waiters,
    exports: {} as Exports,
    keyWatch: {} as KeyWatch,
    answerWithinMs: 30_000,
    requireTenantKey: false,
    reads: new Slots(2),
    changes: new Slots(1),
    scopesPerTenant: unlimited.scopes,
    convergence,
    figures,
  },
  createLog('silent'),
);
await app.listen({ host: '127.0.0.1', port: 0 });

process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ rss: process.memoryUsage().rss });
});
process.on('disconnect', () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });
