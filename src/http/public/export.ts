/** GET /api/scopes/{scopeId}/export: all that a scope holds, as lines of JSON. */
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { ExportLine, ExportQuery } from '../../contract/export.ts';
import { tenantOf, waitAsTenant } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountExport(app: App, deps: Deps): void {
  app.get(
    '/scopes/:scopeId/export',
    {
      // Of what is written as it is read there is no head without the rest.
      exposeHeadRoute: false,
      // Each page has time-outs of its own.
      config: { errors: ['unauthorized', 'not_found', 'conflict', 'too_many_requests'], boundsItself: true },
      onRequest: waitAsTenant(deps),
      schema: {
        operationId: 'exportScope',
        summary: 'All that a scope holds, as lines of JSON',
        description:
          'Each document that came before the start and is still there once, as it is when its line is written, with its claims ' +
          'behind it; then facts and contradictions. An answer without an `end` is not complete: go on from its last `cursor`.',
        tags: ['scopes'],
        headers: TenantKeyHeader,
        params: ScopePath,
        querystring: ExportQuery,
        response: { 200: ExportLine },
      },
    },
    (request, reply) =>
      deps.exports.open(request, reply, { tenantId: tenantOf(request), ...request.params, ...request.query }),
  );
}
