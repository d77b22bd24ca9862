/** GET /api/scopes/{scopeId}/summary. */
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { ScopeSummary } from '../../contract/scopes.ts';
import { summariseScope } from '../../domain/scope-figures.ts';
import { readAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';

export function mountScopes(app: App, deps: Deps): void {
  const { db, convergence } = deps;
  app.get(
    '/scopes/:scopeId/summary',
    {
      config: { errors: ['unauthorized', 'not_found', 'too_many_requests'] },
      onRequest: readAsTenant(deps),
      schema: {
        operationId: 'getOwnScopeSummary',
        summary: 'What a scope holds',
        tags: ['scopes'],
        headers: TenantKeyHeader,
        params: ScopePath,
        response: { 200: ScopeSummary },
      },
    },
    (request) => summariseScope(db, tenantOf(request), request.params.scopeId, convergence),
  );
}
