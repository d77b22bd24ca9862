/** The audit log: who changed what, from where, and what it was before. */
import { type Static, Type } from '@sinclair/typebox';
import { Actor } from './actor.ts';
import { NextCursor, Nullable, PageQuery, ScopeId, TenantId, Timestamp } from './common.ts';

/** What is noted. Clients must expect further ones. */
export const auditActions = [
  'tenant.created',
  'tenant.changed',
  'tenant.deleted',
  'key.issued',
  'key.revoked',
  'key.rotated',
  'scope.created',
  'scope.deleted',
  'scope.reset',
  'scope.ingest_triggered',
  'document.deleted',
  'document.retried',
  'document.text_read',
  'contradiction.decided',
  'runtime.started',
  'runtime.paused',
  'runtime.resumed',
  'runtime.stopped',
  'runtime.restarted',
] as const;
export type AuditAction = (typeof auditActions)[number];

const Fields = Type.Object({}, { title: 'ChangedFields', additionalProperties: true, examples: [{ name: 'Acme' }] });

export const AuditEntry = Type.Object(
  {
    audit_id: Type.String({ examples: ['1042'] }),
    at: Timestamp,
    action: Type.String({ examples: ['scope.deleted'] }),
    actor: Actor,
    tenant_id: Nullable(TenantId),
    scope_id: Nullable(ScopeId),
    subject: Nullable(Type.String({ description: 'A document, a contradiction or a key' })),
    before: Nullable(Fields),
    after: Nullable(Fields),
    address: Nullable(Type.String({ description: 'From where', examples: ['192.0.2.7'] })),
    request_id: Nullable(Type.String()),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditList = Type.Object(
  { entries: Type.Array(AuditEntry), next_cursor: NextCursor },
  { title: 'AuditList' },
);

export const AuditLines = Type.String({ contentMediaType: 'application/x-ndjson', examples: ['{"audit_id":"1042"}'] });

export const AuditFilter = Type.Object(
  {
    tenant_id: Type.Optional(TenantId),
    actor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'All of a `key_prefix`, `ADMIN_API_KEYS 1`, or `command line`',
        examples: ['da_4fZ81kQx'],
      }),
    ),
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['scope.deleted'] })),
    from: Type.Optional(Type.String({ ...Timestamp, description: 'From then on' })),
    to: Type.Optional(Type.String({ ...Timestamp, description: 'Before then' })),
  },
  { additionalProperties: false },
);
export type AuditFilter = Static<typeof AuditFilter>;

export const AuditQuery = Type.Object(
  { ...PageQuery.properties, ...AuditFilter.properties },
  { additionalProperties: false },
);
