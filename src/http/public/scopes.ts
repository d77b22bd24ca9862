/** A tenant's own scopes: GET /api/scopes, /api/scopes/{scopeId} and …/summary. */
import { PageQuery, ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { Scope, ScopeList, ScopeSummary, SummaryQuery } from '../../contract/scopes.ts';
import { summariseScope } from '../../domain/scope-figures.ts';
import { getScope, listScopes } from '../../domain/scopes.ts';
import { accessOf } from '../access.ts';
import { readAsTenant, tenantOf, waitAsTenant } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { answerWaiting } from '../waiting.ts';

export function mountScopes(app: App, deps: Deps): void {
  const { db, convergence } = deps;
  const onRequest = readAsTenant(deps);
  const schema = { tags: ['scopes'], headers: TenantKeyHeader };

  app.get(
    '/scopes',
    {
      config: { errors: ['unauthorized', 'too_many_requests'], forOperators: 'reads', checksScopes: true },
      onRequest,
      schema: {
        ...schema,
        operationId: 'listOwnScopes',
        summary: 'List the scopes of the tenant in order of their ids',
        description:
          'Those that were created, and those that a first document has made. Pass `next_cursor` as `cursor` until ' +
          'it is null.',
        querystring: PageQuery,
        response: { 200: ScopeList },
      },
    },
    async (request) => {
      const { items, next_cursor } = await listScopes(db, tenantOf(request), accessOf(request), request.query);
      return { scopes: items, next_cursor };
    },
  );

  const ofOne = {
    config: {
      errors: ['unauthorized' as const, 'not_found' as const, 'too_many_requests' as const],
      forOperators: 'reads' as const,
    },
    onRequest,
  };

  app.get(
    '/scopes/:scopeId',
    {
      ...ofOne,
      schema: {
        ...schema,
        operationId: 'getOwnScope',
        summary: 'Read one scope',
        description: 'Its name, when it was made, and whether its documents may be processed.',
        params: ScopePath,
        response: { 200: Scope },
      },
    },
    (request) => getScope(db, tenantOf(request), request.params.scopeId),
  );

  app.get(
    '/scopes/:scopeId/summary',
    {
      config: { ...ofOne.config, forOperators: 'waits', boundsItself: true },
      onRequest: waitAsTenant(deps),
      schema: {
        ...schema,
        operationId: 'getOwnScopeSummary',
        summary: 'What a scope holds',
        description:
          'Counts of documents, claims and contradictions, and how far its documents agree. It costs the same ' +
          'however large the scope is. With `wait`, the answer comes when everything up to `through` is done.',
        params: ScopePath,
        querystring: SummaryQuery,
        response: { 200: ScopeSummary },
      },
    },
    (request, reply) => {
      const { scopeId } = request.params;
      return answerWaiting(deps, request, reply, {
        now: () => summariseScope(db, tenantOf(request), scopeId, convergence),
        later: (waiters, waiting) => waiters.summary(waiting, scopeId, request.query.through),
      });
    },
  );
}
