/** The keys of a tenant: GET and POST /admin/tenants/{tenantId}/keys, DELETE …/keys/{prefix}, POST …/keys/{prefix}/rotate. */
import { Type } from '@sinclair/typebox';
import { PageQuery } from '../../contract/common.ts';
import { IssuedKey, IssueKeyRequest, KeyList, RotateKeyRequest, TenantKeyPath } from '../../contract/keys.ts';
import { TenantPath } from '../../contract/tenants.ts';
import { issueTenantKey, listTenantKeys, revokeTenantKey, rotateTenantKey } from '../../domain/tenant-keys.ts';
import { deedOf } from '../audits.ts';
import type { App, Deps } from '../deps.ts';
import { bodyMayBeLeftOut } from '../json-body.ts';

const tags = ['keys'];

export function mountTenantKeys(app: App, { db, keyring, admission }: Deps): void {
  app.post(
    '/tenants/:tenantId/keys',
    {
      // A hundred scopes, beside its other fields.
      config: { errors: ['not_found'], bodyValues: 200, audits: 'key.issued' },
      preValidation: bodyMayBeLeftOut,
      schema: {
        operationId: 'issueTenantKey',
        summary: 'Issue another key for a tenant',
        description:
          'It has all permissions and reaches all scopes, unless it is told otherwise. While a tenant has a key that may ' +
          'do less, `X-Tenant-ID` alone does not post for it: at once on this node, and within 2 s on every other.',
        tags,
        params: TenantPath,
        body: IssueKeyRequest,
        response: { 201: IssuedKey },
      },
    },
    async (request, reply) => {
      const { tenantId } = request.params;
      const { label, expires_at: expiresAt, permissions, scope_ids: scopeIds } = request.body;
      const wishes = { label, expiresAt, permissions, scopeIds };
      const { key, record } = await issueTenantKey(db, tenantId, wishes, deedOf(request));
      admission.forget(tenantId);
      return reply.code(201).send({ ...record, api_key: key, message: 'Keep the key: it is not shown again.' });
    },
  );

  app.get(
    '/tenants/:tenantId/keys',
    {
      config: { errors: ['not_found'] },
      schema: {
        operationId: 'listTenantKeys',
        summary: 'List the keys of a tenant, the revoked ones too',
        description: 'By their prefixes: no key is ever shown again. Pass `next_cursor` as `cursor` until it is null.',
        tags,
        params: TenantPath,
        querystring: PageQuery,
        response: { 200: KeyList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listTenantKeys(db, request.params.tenantId, request.query);
      return { keys: items, next_cursor };
    },
  );

  app.delete(
    '/tenants/:tenantId/keys/:prefix',
    {
      config: { errors: ['not_found'], audits: 'key.revoked' },
      schema: {
        operationId: 'revokeTenantKey',
        summary: 'Revoke a key',
        description:
          'It stops working at once on this node and within 5 s on every other. Revoking it again is no error.',
        tags,
        params: TenantKeyPath,
        response: { 204: Type.Null({ description: 'Revoked' }) },
      },
    },
    async (request, reply) => {
      await revokeTenantKey(db, request.params.tenantId, request.params.prefix, deedOf(request));
      keyring.forget(request.params.prefix);
      admission.forget(request.params.tenantId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/tenants/:tenantId/keys/:prefix/rotate',
    {
      config: { errors: ['not_found', 'conflict'], audits: 'key.rotated' },
      preValidation: bodyMayBeLeftOut,
      schema: {
        operationId: 'rotateTenantKey',
        summary: 'Issue a key in the place of another, which goes on working for a while',
        description:
          'The new one has the permissions, the scopes, the label and the expiry of the old one. A key that is revoked, ' +
          'has expired or was rotated before is 409.',
        tags,
        params: TenantKeyPath,
        body: RotateKeyRequest,
        response: { 201: IssuedKey },
      },
    },
    async (request, reply) => {
      const { tenantId, prefix } = request.params;
      const { key, record } = await rotateTenantKey(db, tenantId, prefix, request.body.grace_s, deedOf(request));
      keyring.forget(prefix);
      admission.forget(tenantId);
      return reply.code(201).send({ ...record, api_key: key, message: 'Keep the key: it is not shown again.' });
    },
  );
}
