/** What the routes are given: built in `wire.ts`, passed down, never looked up. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Accepter } from '../domain/accept/committer.ts';
import type { Admission } from '../domain/admission.ts';
import type { Convergence } from '../domain/convergence.ts';
import type { Database } from '../domain/database.ts';
import type { Health } from '../domain/health.ts';
import type { Kernel } from '../domain/kernel.ts';
import type { Keyring } from '../domain/keyring.ts';
import type { Readiness } from '../domain/readiness.ts';
import type { Waiters } from '../domain/wait/waiters.ts';
import type { ProcessFigures } from '../figures/process.ts';
import type { Slots } from '../slots.ts';
import type { Exports } from './exports.ts';
import type { Validators } from './ingest-stream/validators.ts';
import type { KeyWatch } from './key-watch.ts';
import type { Streams } from './streams.ts';

export interface Deps {
  db: Database;
  keyring: Keyring;
  keyWatch: KeyWatch;
  health: Health;
  readiness: Pick<Readiness, 'whyNot'>;
  accepter: Accepter;
  admission: Admission;
  kernel: Kernel;
  streams: Streams;
  /** Of documents that come in. */
  ingestStreams: IngestStreaming;
  waiters: Waiters;
  exports: Exports;
  /** Longest time that an answer may take, where the framework does not see to it. */
  answerWithinMs: number;
  requireTenantKey: boolean;
  /** For what tenants read: the rest of the connections is for those who process. */
  reads: Slots;
  /** Those who delete documents or decide contradictions, which may take seconds. */
  changes: Slots;
  /** Scopes that a tenant may have, unless it has a limit of its own. */
  scopesPerTenant: number;
  convergence: Convergence;
  figures: ProcessFigures;
}

/** What a stream of documents needs of the rest. */
export type StreamDeps = Pick<Deps, 'accepter' | 'admission' | 'figures'>;

export interface StreamWishes {
  /** The scope that the address names. */
  scopeId: string | undefined;
  errorsOnly: boolean;
  validators: Validators;
}

export interface IngestStreaming {
  /** Answers a request with a stream of answers; resolves when it is over. What is wrong before is thrown. */
  open(deps: StreamDeps, request: FastifyRequest, reply: FastifyReply, wishes: StreamWishes): Promise<void>;
}

/** An app whose handlers know the types of their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
