/** The keys of a tenant: GET and POST /admin/tenants/{tenantId}/keys, DELETE …/keys/{prefix}. */
import { Type } from '@sinclair/typebox';
import { PageQuery } from '../../contract/common.ts';
import { IssuedKey, IssueKeyRequest, KeyList, TenantKeyPath, TenantPath } from '../../contract/tenants.ts';
import { issueTenantKey, listTenantKeys, revokeTenantKey } from '../../domain/tenant-keys.ts';
import type { App, Deps } from '../deps.ts';
import { bodyMayBeLeftOut } from '../json-body.ts';

const tags = ['keys'];

export function mountTenantKeys(app: App, { db, keyring }: Deps): void {
  app.post(
    '/tenants/:tenantId/keys',
    {
      config: { errors: ['not_found'] },
      preValidation: bodyMayBeLeftOut,
      schema: {
        operationId: 'issueTenantKey',
        summary: 'Issue another key for a tenant',
        description: 'To rotate keys: issue a second one, move the callers to it, revoke the first.',
        tags,
        params: TenantPath,
        body: IssueKeyRequest,
        response: { 201: IssuedKey },
      },
    },
    async (request, reply) => {
      const { label, expires_at } = request.body;
      const { key, record } = await issueTenantKey(db, request.params.tenantId, { label, expiresAt: expires_at });
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
      config: { errors: ['not_found'] },
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
      await revokeTenantKey(db, request.params.tenantId, request.params.prefix);
      keyring.forget(request.params.prefix);
      return reply.code(204).send(null);
    },
  );
}
