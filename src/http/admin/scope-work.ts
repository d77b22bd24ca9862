/** What operators do with a scope as a whole: send it to be processed, empty it, look at its figures. */
import { ScopePath, TenantKeyHeader } from '../../contract/common.ts';
import { ResetAnswer, ScopeMetrics, ScopeSummary, TriggerAnswer, TriggerRequest } from '../../contract/scopes.ts';
import { triggerIngest } from '../../domain/ingest-trigger.ts';
import { measureScope, summariseScope } from '../../domain/scope-figures.ts';
import { resetScope } from '../../domain/scopes.ts';
import { deedOf } from '../audits.ts';
import { actForTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { bodyMayBeLeftOut } from '../json-body.ts';

export function mountScopeWork(app: App, { db, keyring, kernel, convergence }: Deps): void {
  const config = { errors: ['not_found' as const] };
  const read = { config, onRequest: actForTenant(keyring, 'read') };
  const schema = { tags: ['scopes'], headers: TenantKeyHeader, params: ScopePath };

  app.post(
    '/scopes/:scopeId/ingest',
    {
      // It stops by itself after 10 s, and says how far it came.
      config: { ...config, boundsItself: true, audits: 'scope.ingest_triggered' },
      onRequest: actForTenant(keyring, 'ingest'),
      preValidation: bodyMayBeLeftOut,
      schema: {
        ...schema,
        operationId: 'triggerIngest',
        summary: 'Queue what is pending in a scope, and on request what has failed',
        description:
          'The body may be left out. It queues as much as it can in 10 s; `complete` says whether that was all of ' +
          'it.',
        body: TriggerRequest,
        response: { 200: TriggerAnswer },
      },
    },
    async (request) => {
      const { scopeId } = request.params;
      const triggered = await triggerIngest(db, tenantOf(request), scopeId, {
        retryFailed: request.body.retry_failed,
        onQueued: (documents, awakened) => kernel.arrived(documents, awakened),
        deed: deedOf(request),
      });
      const message = triggered.complete ? 'All of it is queued.' : 'There is more: call again for the rest.';
      return { scope_id: scopeId, ...triggered, message };
    },
  );

  app.post(
    '/scopes/:scopeId/reset',
    {
      config: { ...config, audits: 'scope.reset' },
      onRequest: actForTenant(keyring, 'delete'),
      schema: {
        ...schema,
        operationId: 'resetScope',
        summary: 'Empty a scope',
        description: 'What it held is gone at once, and seq begins again at 0. The event log stays.',
        response: { 200: ResetAnswer },
      },
    },
    async (request) => ({
      ...(await resetScope(db, tenantOf(request), request.params.scopeId, deedOf(request))),
      message: 'The scope is empty.',
    }),
  );

  app.get(
    '/scopes/:scopeId/summary',
    {
      ...read,
      schema: {
        ...schema,
        operationId: 'getScopeSummary',
        summary: 'What a scope holds',
        description:
          'Counts of documents, claims and contradictions, and how far its documents agree. It costs the same ' +
          'however large the scope is.',
        response: { 200: ScopeSummary },
      },
    },
    (request) => summariseScope(db, tenantOf(request), request.params.scopeId, convergence),
  );

  app.get(
    '/scopes/:scopeId/metrics',
    {
      ...read,
      config: { ...config, forOperators: 'reads' },
      schema: {
        ...schema,
        operationId: 'getScopeMetrics',
        summary: 'What happened in a scope in the last 15 to 20 minutes, and what waits',
        description: 'Throughput, latencies and backlog of one scope, and how its convergence went.',
        response: { 200: ScopeMetrics },
      },
    },
    (request) => measureScope(db, tenantOf(request), request.params.scopeId),
  );
}
