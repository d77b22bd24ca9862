/** What the kernel tells of itself: its hatchery and its health. */
import { Type } from '@sinclair/typebox';
import { Nullable, ScopeId, TenantId, Timestamp } from './common.ts';
import { Node, RuntimeState } from './runtime.ts';

const rate = (description: string) => Type.Number({ minimum: 0, description, examples: [12.5] });
const count = (description?: string) =>
  Type.Integer({ minimum: 0, examples: [0], ...(description !== undefined && { description }) });

export const HatcherySnapshot = Type.Object(
  {
    node_id: Type.String({ examples: ['node_7k2m9qv0'] }),
    taken_at: Timestamp,
    state: RuntimeState,
    size: Type.Object({
      target: count('How many workers there should be now'),
      actual: count('How many are able to take work'),
      min: count(),
      max: count(),
    }),
    load: Type.Object(
      {
        arrival_per_s: rate('Documents queued a second, over all nodes'),
        service_per_s: rate('Documents processed or failed a second, over all nodes'),
        utilisation: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Of the workers of all nodes',
          examples: [0.4],
        }),
        backlog: count('Documents that wait to be processed'),
        oldest_age_ms: Type.Number({ minimum: 0, description: 'Of what waits and is not held', examples: [120] }),
      },
      { description: 'The rates are means of the last ten seconds' },
    ),
    workers: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['node_7k2m9qv0-1.1'] }),
        state: Type.Union([Type.Literal('idle'), Type.Literal('busy'), Type.Literal('draining')]),
        lane: Nullable(Type.Object({ tenant_id: TenantId, scope_id: ScopeId })),
        since: Timestamp,
        batches: count(),
        documents: count(),
        failures: count('Documents that failed, those tried again included'),
        restarts: count(),
      }),
    ),
    recent: Type.Array(
      Type.Object({
        at: Timestamp,
        action: Type.String({ examples: ['started'] }),
        worker_id: Type.String({ examples: ['node_7k2m9qv0-1.1'] }),
        reason: Type.String({ examples: ['the runtime is open'] }),
      }),
      { description: 'What the hatchery did last, at most 50' },
    ),
    nodes: Type.Array(Node),
  },
  { title: 'HatcherySnapshot' },
);

const Held = Nullable(count('Lanes held on purpose'));

const Check = Type.Object(
  {
    status: Type.Union([Type.Literal('up'), Type.Literal('down')]),
    detail: Type.Optional(Type.String({ examples: ['nothing was processed for 30 s, and there is work'] })),
  },
  { title: 'HealthCheck' },
);

export const KernelHealth = Type.Object(
  {
    status: Type.String({ description: '`ok`, or `unavailable` with 503', examples: ['ok'] }),
    node_id: Type.String({ examples: ['node_7k2m9qv0'] }),
    runtime: Nullable(RuntimeState),
    held: Held,
    checks: Type.Object({ postgres: Check, workers: Check }),
  },
  { title: 'KernelHealth', description: 'Whether work that can run is making progress' },
);

export const ControlPlaneHealth = Type.Object(
  {
    status: Type.String({ description: '`ok`, or `unavailable` with 503 when a check is down', examples: ['ok'] }),
    service: Type.Literal('control-plane'),
    checks: Type.Object({ postgres: Check, queue: Check, events: Check, workers: Check }),
    runtime: Nullable(RuntimeState),
    held: Held,
    nodes: Type.Array(Node),
  },
  { title: 'ControlPlaneHealth' },
);
