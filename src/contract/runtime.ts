/** Whether lanes may run: what is asked of the runtime, and what it answers. */
import { type Static, Type } from '@sinclair/typebox';
import { Actor } from './actor.ts';
import { NextCursor, Nullable, PageQuery, ScopeId, TenantId, Timestamp } from './common.ts';

export const RuntimeState = Type.Union([Type.Literal('running'), Type.Literal('paused'), Type.Literal('stopped')], {
  title: 'RuntimeState',
  examples: ['running'],
});
export type RuntimeState = Static<typeof RuntimeState>;

const inTenant = {
  scope_id: Type.Optional(ScopeId),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Why; the event has it, and `GET /admin/runtime` while it holds',
      examples: ['The disk is full.'],
    }),
  ),
};

/** For who sends the key of the tenant. */
export const TenantRuntimeRequest = Type.Object(inTenant, {
  title: 'TenantRuntimeRequest',
  additionalProperties: false,
  description: 'May be left out: then the whole tenant is meant',
  examples: [{ scope_id: 'contracts-2026' }],
});

export const RuntimeRequest = Type.Object(
  { tenant_id: Type.Optional(TenantId), ...inTenant },
  {
    title: 'RuntimeRequest',
    additionalProperties: false,
    description:
      'May be left out: then the whole runtime is meant, or the whole tenant when its key is sent. `tenant_id` stands for the key',
    examples: [{ tenant_id: 'ten_7k2m9qv0x4c8b1n5d3f6g7h8j9', scope_id: 'contracts-2026' }],
  },
);
export type RuntimeRequest = Static<typeof RuntimeRequest>;

export const Node = Type.Object(
  {
    node_id: Type.String({ examples: ['node_7k2m9qv0'] }),
    role: Type.String({ examples: ['all'] }),
    state: Type.Union([Type.Literal('up'), Type.Literal('lost')], {
      description: '`lost`: silent for longer than a node may be',
    }),
    started_at: Timestamp,
    seen_at: Timestamp,
    workers: Type.Object({
      target: Type.Integer({ examples: [4] }),
      actual: Type.Integer({ examples: [4] }),
      busy: Type.Integer({ examples: [1] }),
    }),
  },
  { title: 'Node' },
);

const LevelName = Type.Union([Type.Literal('runtime'), Type.Literal('tenant'), Type.Literal('scope')]);

export const RuntimeAnswer = Type.Object(
  {
    state: RuntimeState,
    previous_state: RuntimeState,
    changed: Type.Boolean({ description: 'False when it was in that state already' }),
    effective_state: Type.Union(RuntimeState.anyOf, {
      description: 'The strictest of the states that apply to the level',
      examples: ['running'],
    }),
    level: LevelName,
    tenant_id: Nullable(TenantId),
    scope_id: Nullable(ScopeId),
    draining: Type.Integer({
      minimum: 0,
      description: 'Batches of the level that are still in hand on this node',
      examples: [0],
    }),
    nodes: Type.Array(Node),
  },
  { title: 'RuntimeAnswer' },
);

export const HeldLevelsQuery = Type.Object(
  { ...PageQuery.properties, tenant_id: Type.Optional(TenantId) },
  { additionalProperties: false },
);

const count = Type.Integer({ minimum: 0, examples: [3] });

export const HeldLevel = Type.Object(
  {
    level: LevelName,
    tenant_id: Nullable(TenantId),
    scope_id: Nullable(ScopeId),
    state: RuntimeState,
    set_by: Nullable(Actor),
    set_at: Nullable(Timestamp),
    reason: Nullable(Type.String({ examples: ['The disk is full.'] })),
    holds: Type.Object(
      { documents: count, lanes: count, oldest_age_ms: Nullable(Type.Number({ minimum: 0, examples: [350] })) },
      { description: 'All that waits within it; lanes are counted up to 1,000 of a tenant, and 100,000 of all' },
    ),
  },
  { title: 'HeldLevel' },
);

export const HeldLevels = Type.Object(
  { levels: Type.Array(HeldLevel), next_cursor: NextCursor },
  { title: 'HeldLevels' },
);
