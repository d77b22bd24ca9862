/** Scopes of the tenant whose key is presented: GET and POST /admin/scopes, DELETE …/{scopeId}. */
import { Type } from '@sinclair/typebox';
import { PageQuery, ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { CreateScopeRequest, Scope, ScopeList } from '../../contract/scopes.ts';
import { createScope } from '../../domain/new-scopes.ts';
import { deleteScope, listScopes } from '../../domain/scopes.ts';
import { accessOf } from '../access.ts';
import { deedOf } from '../audits.ts';
import { actForTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { bodyMayBeLeftOut } from '../json-body.ts';

const tags = ['scopes'];

export function mountScopes(app: App, { db, keyring, scopesPerTenant }: Deps): void {
  app.post(
    '/scopes',
    {
      config: { errors: ['conflict'], headers: { 201: ['Location'] }, audits: 'scope.created' },
      onRequest: actForTenant(keyring, 'ingest'),
      preValidation: bodyMayBeLeftOut,
      schema: {
        operationId: 'createScope',
        summary: 'Create a scope',
        description:
          'A scope is also made by its first document; to create one beforehand gives it a name. An id that is ' +
          'taken is 409.',
        tags,
        headers: TenantKeyHeader,
        body: CreateScopeRequest,
        response: { 201: Scope },
      },
    },
    async (request, reply) => {
      const scope = await createScope(db, tenantOf(request), request.body, scopesPerTenant, deedOf(request));
      return reply.code(201).header('location', `/api/scopes/${scope.scope_id}`).send(scope);
    },
  );

  app.get(
    '/scopes',
    {
      config: { checksScopes: true },
      onRequest: actForTenant(keyring, 'read'),
      schema: {
        operationId: 'listScopes',
        summary: 'List the scopes of a tenant in order of their ids',
        description:
          'Those that were created, and those that a first document has made. Pass `next_cursor` as `cursor` until ' +
          'it is null.',
        tags,
        headers: TenantKeyHeader,
        querystring: PageQuery,
        response: { 200: ScopeList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listScopes(db, tenantOf(request), accessOf(request), request.query);
      return { scopes: items, next_cursor };
    },
  );

  app.delete(
    '/scopes/:scopeId',
    {
      config: { errors: ['not_found'], audits: 'scope.deleted' },
      onRequest: actForTenant(keyring, 'delete'),
      schema: {
        operationId: 'deleteScope',
        summary: 'Delete a scope with all that it holds',
        description:
          'It is out of sight at once, and its rows are removed in the background. Its id may be used again.',
        tags,
        headers: TenantKeyHeader,
        params: ScopePath,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await deleteScope(db, tenantOf(request), request.params.scopeId, deedOf(request));
      return reply.code(204).send(null);
    },
  );
}
