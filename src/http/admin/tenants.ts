/** Tenants: POST, GET, PATCH and DELETE under /admin/tenants. */
import { Type } from '@sinclair/typebox';
import { PageQuery } from '../../contract/common.ts';
import {
  CreateTenantRequest,
  CreateTenantResponse,
  Tenant,
  TenantList,
  TenantPath,
  UpdateTenantRequest,
} from '../../contract/tenants.ts';
import { changeTenant, createTenant, deleteTenant, getTenant, listTenants } from '../../domain/tenants.ts';
import { deedOf } from '../audits.ts';
import type { App, Deps } from '../deps.ts';

const tags = ['tenants'];

export function mountTenants(app: App, { db, keyring, admission }: Deps): void {
  app.post(
    '/tenants',
    {
      config: { headers: { 201: ['Location'] }, audits: 'tenant.created' },
      schema: {
        operationId: 'createTenant',
        summary: 'Create a tenant with its first key',
        description: 'The key is in the answer and is not shown again. `Location` is where the tenant can be read.',
        tags,
        body: CreateTenantRequest,
        response: { 201: CreateTenantResponse },
      },
    },
    async (request, reply) => {
      const { tenant, key, record } = await createTenant(db, request.body.name, deedOf(request));
      return reply.code(201).header('location', `/admin/tenants/${tenant.tenant_id}`).send({
        tenant_id: tenant.tenant_id,
        api_key: key,
        key_prefix: record.key_prefix,
        message: 'Keep the key: it is not shown again.',
      });
    },
  );

  app.get(
    '/tenants',
    {
      schema: {
        operationId: 'listTenants',
        summary: 'List tenants in order of creation',
        description: 'With their state and the limits of their own. Pass `next_cursor` as `cursor` until it is null.',
        tags,
        querystring: PageQuery,
        response: { 200: TenantList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listTenants(db, request.query);
      return { tenants: items, next_cursor };
    },
  );

  app.get(
    '/tenants/:tenantId',
    {
      config: { errors: ['not_found'] },
      schema: {
        operationId: 'getTenant',
        summary: 'Read one tenant',
        description: 'Its name, its state, and the limits of its own; the configured ones hold for the rest.',
        tags,
        params: TenantPath,
        response: { 200: Tenant },
      },
    },
    (request) => getTenant(db, request.params.tenantId),
  );

  app.patch(
    '/tenants/:tenantId',
    {
      config: { errors: ['not_found'], audits: 'tenant.changed' },
      schema: {
        operationId: 'updateTenant',
        summary: 'Change the name or the limits of a tenant',
        description:
          'What is not given stays as it is. New limits hold at once on this node, and within 2 s on every other.',
        tags,
        params: TenantPath,
        body: UpdateTenantRequest,
        response: { 200: Tenant },
      },
    },
    async (request) => {
      const tenant = await changeTenant(db, request.params.tenantId, request.body, deedOf(request));
      admission.forget(tenant.tenant_id);
      return tenant;
    },
  );

  app.delete(
    '/tenants/:tenantId',
    {
      config: { errors: ['not_found'], audits: 'tenant.deleted' },
      schema: {
        operationId: 'deleteTenant',
        summary: 'Delete a tenant with all that belongs to it',
        description:
          'It is out of sight at once, and its rows are removed in the background. Its keys stop working at once on this ' +
          'node and within 5 s on every other.',
        tags,
        params: TenantPath,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await deleteTenant(db, request.params.tenantId, deedOf(request));
      keyring.forget();
      admission.forget(request.params.tenantId);
      return reply.code(204).send(null);
    },
  );
}
