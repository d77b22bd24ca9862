/** GET /api/events and /api/scopes/{scopeId}/events: what happens to a tenant's documents, as it happens, for the tenant itself. */
import { Type } from '@sinclair/typebox';
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { LastEventIdHeader, TenantEvent } from '../../contract/events.ts';
import { TenantStreamQuery } from '../../contract/stream-tokens.ts';
import { requireScope } from '../../domain/scopes.ts';
import { accessOf } from '../access.ts';
import { inTurn, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { followAsTenant } from '../follow.ts';

export function mountEvents(app: App, deps: Deps): void {
  const { db, reads, streams } = deps;
  const route = {
    // Of a stream there is no head without the rest.
    exposeHeadRoute: false,
    onRequest: followAsTenant(deps),
  };
  const schema = {
    tags: ['events'],
    headers: Type.Object({ ...Type.Partial(TenantKeyHeader).properties, ...LastEventIdHeader }),
    querystring: TenantStreamQuery,
    response: { 200: TenantEvent },
  };

  app.get(
    '/events',
    {
      ...route,
      config: { errors: ['unauthorized', 'too_many_requests'], boundsItself: true, checksScopes: true },
      schema: {
        ...schema,
        operationId: 'streamOwnEvents',
        summary: 'What happens in all scopes of the tenant, as server-sent events',
        description:
          'Each event has an id; sent back as `Last-Event-ID`, it is where the stream goes on, on either stream. A `gap` ' +
          'says that some in between are no longer kept. With a token in place of the key, the stream ends with an `expired`.',
      },
    },
    (request, reply) => {
      const { scopeIds } = accessOf(request);
      return streams.open(request, reply, { scope: { tenantId: tenantOf(request) }, scopeIds, isForTenant: true });
    },
  );

  app.get(
    '/scopes/:scopeId/events',
    {
      ...route,
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'], boundsItself: true },
      schema: {
        ...schema,
        operationId: 'streamOwnScopeEvents',
        summary: 'What happens in a scope of the tenant, as server-sent events',
        description: 'As `GET /api/events`, of one scope.',
        params: ScopePath,
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { scopeId } = request.params;
      await inTurn(reads, request, reply, () => requireScope(db, tenantId, scopeId));
      await streams.open(request, reply, { scope: { tenantId, scopeId }, isForTenant: true });
    },
  );
}
