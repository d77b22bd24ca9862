/** Scopes of a tenant. */
import { Type } from '@sinclair/typebox';
import { NextCursor, Nullable, ScopeId, Timestamp, Wait } from './common.ts';
import { LeftOut } from './contradictions.ts';
import { ConvergenceTrend, ScopeConvergence } from './convergence.ts';
import { RuntimeState } from './runtime.ts';

const ScopeName = Type.String({ minLength: 1, maxLength: 500, examples: ['Contracts of 2026'] });

export const CreateScopeRequest = Type.Object(
  {
    scope_id: Type.Optional(ScopeId),
    name: Type.Optional(ScopeName),
  },
  {
    title: 'CreateScopeRequest',
    additionalProperties: false,
    description: 'All of it may be left out: an id is made, and the name is the id',
    examples: [{ scope_id: 'contracts-2026', name: 'Contracts of 2026' }],
  },
);

export const Scope = Type.Object(
  {
    scope_id: ScopeId,
    name: ScopeName,
    state: RuntimeState,
    created_at: Timestamp,
  },
  { title: 'Scope' },
);

export const ScopeList = Type.Object({ scopes: Type.Array(Scope), next_cursor: NextCursor }, { title: 'ScopeList' });

export const TriggerRequest = Type.Object(
  { retry_failed: Type.Boolean({ default: false, description: 'Also queue what has failed, with all its attempts' }) },
  { title: 'TriggerRequest', additionalProperties: false, examples: [{ retry_failed: true }] },
);

const count = (description?: string) =>
  Type.Integer({ minimum: 0, examples: [3], ...(description !== undefined && { description }) });

export const TriggerAnswer = Type.Object(
  {
    scope_id: ScopeId,
    queued: count('Documents that this call queued'),
    already_queued: count('Documents that were queued or in work before'),
    skipped: count('Entries without text: there is nothing to process'),
    complete: Type.Boolean({ description: 'False when there was more than one call has time for: call again' }),
    message: Type.String({ examples: ['All of it is queued.'] }),
  },
  { title: 'TriggerAnswer' },
);

export const ResetAnswer = Type.Object(
  {
    scope_id: ScopeId,
    deleted: Type.Object({ documents: count(), contradictions: count() }),
    message: Type.String({ examples: ['The scope is empty.'] }),
  },
  { title: 'ResetAnswer' },
);

export const ScopeSummary = Type.Object(
  {
    scope: Type.Object({ scope_id: ScopeId, name: ScopeName, created_at: Timestamp }),
    documents: Type.Object(
      {
        total: count(),
        pending: count(),
        queued: count(),
        processing: count(),
        processed: count(),
        failed: count(),
        superseded: count(),
      },
      { description: 'By state, every version counted' },
    ),
    last_seq: Nullable(count('The seq of the newest document; null when there was none')),
    settled_through: Nullable(
      count(
        'All documents up to this seq are done, or pending; null when not even the first is. It falls after a retry or a reset',
      ),
    ),
    claims: Type.Object({ total: count(), groups: count('Things that they are made about') }),
    contradictions: Type.Object({ open: count(), resolved: count(), deferred: count(), left_out: LeftOut }),
    convergence: ScopeConvergence,
    rules: Type.Object(
      {
        in_force: count('The version of the rules that documents are read by now'),
        applied: count('The version that all of the scope was read by, or a newer one; 0 where it is not known'),
        reread_up_to: Nullable(
          count('The seq up to which the scope was read again; null before the first, and when it is done'),
        ),
      },
      { description: 'What older rules have read is read again in the background, behind new work' },
    ),
    runtime: Type.Object({ state: RuntimeState, effective_state: RuntimeState }),
  },
  { title: 'ScopeSummary' },
);

export const SummaryQuery = Type.Object(
  {
    wait: Wait,
    through: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999_999_999,
        description: 'The seq up to which everything is to be done; left out, the newest one that there is now',
        examples: [41],
      }),
    ),
  },
  { additionalProperties: false },
);

const ms = Nullable(Type.Number({ minimum: 0, examples: [42] }));
const Percentiles = Type.Object(
  { p50: ms, p95: ms, p99: ms },
  { title: 'Percentiles', description: 'To about 20 %, from a histogram; null when nothing was finished' },
);

export const ScopeMetrics = Type.Object(
  {
    window: Type.Object({ from: Timestamp, to: Timestamp, seconds: Type.Number({ minimum: 0, examples: [1080] }) }),
    documents: Type.Object(
      { accepted: count(), processed: count(), failed: count(), retried: count() },
      { description: 'Within the window' },
    ),
    throughput_per_minute: Type.Number({ minimum: 0, examples: [120] }),
    latency_ms: Type.Object(
      { waiting: Percentiles, processing: Percentiles, total: Percentiles },
      { description: 'From queued to taken, from taken to done, and both' },
    ),
    backlog: Type.Object({
      queued: count('Queued or in work now'),
      oldest_age_ms: Nullable(Type.Number({ minimum: 0, examples: [350] })),
    }),
    convergence: ConvergenceTrend,
  },
  { title: 'ScopeMetrics' },
);
