/** GET /admin/scopes/{scopeId}/events: what happens in one scope, as it happens. */
import { Type } from '@sinclair/typebox';
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { Event, LastEventIdHeader, StreamQuery } from '../../contract/events.ts';
import { requireScope } from '../../domain/scopes.ts';
import { actForTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountScopeEvents(app: App, { db, keyring, streams }: Deps): void {
  app.get(
    '/scopes/:scopeId/events',
    {
      // Of a stream there is no head without the rest.
      exposeHeadRoute: false,
      // A stream has no end of its own; what comes before its first byte has time-outs.
      config: { errors: ['not_found'], boundsItself: true, forOperators: 'stream' },
      onRequest: actForTenant(keyring, 'read'),
      schema: {
        operationId: 'streamScopeEvents',
        summary: 'What happens in a scope, as server-sent events',
        description:
          'Each event has an id; sent back as `Last-Event-ID`, it is where the stream goes on. A `gap` says that ' +
          'some in between are no longer kept.',
        tags: ['events'],
        headers: Type.Object({ ...TenantKeyHeader.properties, ...LastEventIdHeader }),
        params: ScopePath,
        querystring: StreamQuery,
        response: { 200: Event },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { scopeId } = request.params;
      await requireScope(db, tenantId, scopeId);
      await streams.open(request, reply, { scope: { tenantId, scopeId } });
    },
  );
}
