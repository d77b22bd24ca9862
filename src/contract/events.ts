/** Every event there is: its type, what it reports, and what its payload holds. */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Nullable, ScopeId, TenantId, Timestamp } from './common.ts';

const document = {
  document_id: Type.String({ examples: ['lease-12'] }),
  version: Type.Integer({ minimum: 1, examples: [1] }),
  seq: Type.Integer({ minimum: 0, examples: [0] }),
  trace_id: Type.Optional(
    Type.String({
      title: 'TraceId',
      description: 'Of the `traceparent` that the request came with, if there was one',
      examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
    }),
  ),
};
const contradiction = { contradiction_id: Type.String({ examples: ['con_7k2m9qv0x4c8b1n5d3f6'] }) };
const severity = Type.String({ examples: ['medium'] });
const sides = {
  severity,
  document_ids: Type.Array(Type.String(), { examples: [['lease-12', 'lease-13']] }),
};
const score = Type.Number({ minimum: 0, maximum: 1, examples: [0.94] });
const by = Type.String({ description: 'Who did it', examples: ['da_4fZ81kQx'] });
const count = Type.Integer({ minimum: 0, examples: [3] });
const name = Type.String({ examples: ['Contracts of 2026'] });
const key = {
  key_prefix: Type.String({ examples: ['dk_4fZ81kQx'] }),
  tier: Type.String({ examples: ['tenant'] }),
};
const runtime = {
  level: Type.String({ description: 'runtime, tenant or scope', examples: ['scope'] }),
  previous_state: Type.String({ examples: ['running'] }),
  by,
  reason: Type.Optional(Type.String({ description: 'As it was given', examples: ['The disk is full.'] })),
};
const worker = { worker_id: Type.String({ examples: ['node_7172dffdb1-1.1'] }), reason: Type.String() };

interface Kind<Payload extends TObject = TObject> {
  what: string;
  payload: Payload;
}

const kind = <Properties extends Parameters<typeof Type.Object>[0]>(what: string, properties: Properties) => ({
  what,
  payload: Type.Object(properties),
});

/** By type. Clients must expect further types, and further members of a payload. */
export const eventKinds = {
  'document.accepted': kind('A document was stored, and is not asked to run', document),
  'document.queued': kind('A document waits to be processed', document),
  'document.processed': kind('A document was processed', document),
  'document.failed': kind('The last attempt at a document failed', {
    ...document,
    error: Type.String({ examples: ['Reading it took longer than 5000 ms.'] }),
  }),
  'document.superseded': kind(
    'A newer version of the document was processed, or the document is being deleted',
    document,
  ),
  'document.deleted': kind('A document was erased, with every version', {
    document_id: document.document_id,
    versions: count,
  }),
  'contradiction.detected': kind('Two documents were found to contradict each other', { ...contradiction, ...sides }),
  'contradiction.retracted': kind(
    'A document no longer says what was contradicted, or is no longer there, or others come first now',
    {
      ...contradiction,
      ...sides,
    },
  ),
  'contradiction.reopened': kind('New evidence speaks against a resolution', {
    ...contradiction,
    evidence: Type.String({
      description: 'The contradiction that is the evidence',
      examples: ['con_2m9qv0x4c8b1n5d3f6g7h8j9k0'],
    }),
  }),
  'contradiction.reported': kind('A tenant reported a contradiction', { ...contradiction, severity }),
  'contradiction.resolved': kind('An operator resolved a contradiction', { ...contradiction, resolved_by: by }),
  'contradiction.deferred': kind('An operator deferred a contradiction', { ...contradiction, resolved_by: by }),
  'scope.created': kind('A scope was created, by name or by its first document', { name }),
  'scope.ingest_triggered': kind('An operator had the pending documents of a scope queued', {
    retry_failed: Type.Boolean({ examples: [false] }),
  }),
  'scope.converged': kind('The documents of a scope agree, and there is nothing left to do', { score }),
  'scope.reopened': kind('A scope that had converged has not any more', {
    score,
    status: Type.String({ examples: ['converging'] }),
  }),
  'scope.reset': kind('A scope was emptied', { documents: count, contradictions: count }),
  'scope.deleted': kind('A scope was deleted', {}),
  'runtime.started': kind('A level of the runtime may run', runtime),
  'runtime.paused': kind('A level of the runtime was paused', runtime),
  'runtime.resumed': kind('A level of the runtime goes on', runtime),
  'runtime.stopped': kind('A level of the runtime was stopped', runtime),
  'runtime.restarted': kind('A level of the runtime began anew', runtime),
  'worker.started': kind('A worker began', worker),
  'worker.stopped': kind('A worker ended', worker),
  'worker.crashed': kind('A worker crashed', worker),
  'worker.restarted': kind('A worker was replaced, after a crash or because it hung', worker),
  'tenant.created': kind('A tenant was created', { name }),
  'tenant.deleted': kind('A tenant was deleted, with all that belonged to it', {}),
  'key.issued': kind('A key was issued', key),
  'key.revoked': kind('A key was revoked', key),
  'key.rotated': kind('A key was issued in the place of another, which goes on working for a while', {
    ...key,
    replaced_by: Type.String({ description: 'The prefix of the new one', examples: ['dk_9aQ27tLw'] }),
    expires_at: Type.String({ ...Timestamp, description: 'Until when the old one works' }),
  }),
} satisfies Record<string, Kind>;

export type EventType = keyof typeof eventKinds;

/**
 * What tenants are told of, in the streams of their own: what became of their documents, contradictions and scopes. Nothing of
 * operators and what they do with the runtime, of keys, or of workers. A new type is for operators until it stands here.
 */
export const tenantEventTypes: readonly EventType[] = [
  'document.accepted',
  'document.queued',
  'document.processed',
  'document.failed',
  'document.superseded',
  'document.deleted',
  'contradiction.detected',
  'contradiction.retracted',
  'contradiction.reopened',
  'contradiction.reported',
  'contradiction.resolved',
  'contradiction.deferred',
  'scope.created',
  'scope.ingest_triggered',
  'scope.converged',
  'scope.reopened',
  'scope.reset',
  'scope.deleted',
];
const toldToTenants: ReadonlySet<string> = new Set(tenantEventTypes);

export const isForTenants = (type: string) => toldToTenants.has(type);

export type PayloadOf<T extends EventType> = Static<(typeof eventKinds)[T]['payload']>;

const EventId = Type.String({
  title: 'EventId',
  description: 'Rises in the order of commits; to resume after',
  examples: ['1042'],
});

const envelope = <T extends string, Payload extends TObject>(type: T, payload: Payload) =>
  Type.Object({
    id: EventId,
    type: Type.Literal(type),
    ts: Timestamp,
    tenant_id: Nullable(TenantId),
    scope_id: Nullable(ScopeId),
    payload,
  });

/** What a stream sends as `data`. Before it may come a `gap`, which is no event of the log. */
export const Event = Type.Union(
  Object.entries(eventKinds).map(([type, { what, payload }]) => ({
    ...envelope(type, payload),
    title: `Event.${type}`,
    description: what,
  })),
  { title: 'Event', contentMediaType: 'text/event-stream' },
);

/** The same as a tenant gets it. */
export const TenantEvent = Type.Object(
  {
    id: EventId,
    type: Type.Union(
      tenantEventTypes.map((type) => Type.Literal(type)),
      { examples: ['document.processed'] },
    ),
    ts: Timestamp,
    scope_id: ScopeId,
    payload: Type.Object({}, { additionalProperties: true, description: 'As the Event of the same type has it' }),
  },
  {
    title: 'TenantEvent',
    description: 'An event of the tenant, without its id. A `gap` and an `expired` are no events of the log',
    contentMediaType: 'text/event-stream',
  },
);

export interface EventEnvelope {
  id: string;
  type: string;
  ts: string;
  tenant_id: string | null;
  scope_id: string | null;
  payload: Record<string, unknown>;
}

export const StreamQuery = Type.Object(
  {
    last_event_id: Type.Optional(
      Type.String({ description: 'As the header Last-Event-ID, for clients that cannot set it', examples: ['1042'] }),
    ),
    types: Type.Optional(
      Type.String({
        description: 'Types to send, separated by commas; `document.*` stands for all that begin so',
        examples: ['document.processed,document.failed'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const LastEventIdHeader = {
  'Last-Event-ID': Type.Optional(
    Type.String({
      description:
        'The id of the last event that was seen: the stream goes on after it. 0 is the oldest that is kept; without it the stream begins now',
      examples: ['1042'],
    }),
  ),
};
