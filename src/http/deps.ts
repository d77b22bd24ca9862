/** What the routes are given: built in `wire.ts`, passed down, never looked up. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
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
  waiters: Waiters;
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

/** An app whose handlers know the types of their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
