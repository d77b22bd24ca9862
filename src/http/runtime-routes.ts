/** The five runtime routes that two tiers have: start, pause, resume, stop, restart, at the level that is addressed. */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { OptionalTenantKeyHeader, TenantKeyHeader } from '../contract/common.ts';
import { RuntimeAnswer, RuntimeRequest, TenantRuntimeRequest } from '../contract/runtime.ts';
import { HAPPENED, type RuntimeAction } from '../domain/runtime.ts';
import { invalid } from '../errors.ts';
import { asking } from './access.ts';
import { deedOf } from './audits.ts';
import { actForTenant } from './auth.ts';
import type { App, Deps } from './deps.ts';
import { bodyMayBeLeftOut } from './json-body.ts';

const ACTIONS: Record<RuntimeAction, string> = {
  start: 'Start: let lanes run, also from paused',
  pause: 'Pause: batches in hand finish, none starts; workers stay',
  resume: 'Resume after a pause',
  stop: 'Stop: as pause; and when it is the whole runtime, its workers and threads go',
  restart: 'Restart: finish the batches in hand, then run again, with new workers when it is the whole runtime',
};

interface Place {
  path: string;
  /** Before the operation ids: the tiers share one document. */
  operation: string;
  /** Whether the whole runtime can be addressed, by leaving the tenant key out; and a tenant by its id. */
  whole: boolean;
}

export function mountRuntime(app: App, { keyring, kernel }: Deps, { path, operation, whole }: Place): void {
  // What may be posted is worth nothing unless it is processed.
  const identify = actForTenant(keyring, 'ingest');
  const identifyIfKnown: onRequestAsyncHookHandler = async function (request, reply) {
    if (request.headers['x-tenant-api-key'] !== undefined) await identify.call(this, request, reply);
  };
  const onRequest = whole ? asking('ingest', identifyIfKnown) : identify;

  for (const [action, summary] of Object.entries(ACTIONS) as [RuntimeAction, string][]) {
    app.post(
      `${path}/${action}`,
      {
        // It waits for 10 s at most, whatever the time-out of other routes.
        config: { errors: ['not_found', 'conflict'], boundsItself: true, audits: `runtime.${HAPPENED[action]}` },
        onRequest,
        preValidation: bodyMayBeLeftOut,
        schema: {
          operationId: `${operation}${action.charAt(0).toUpperCase()}${action.slice(1)}`,
          summary,
          description:
            'Kept over restarts. Answers when this node has finished its batches, or after 10 s; every other node ' +
            'follows within 2 s. The same again is no error and changes nothing.',
          tags: ['runtime'],
          headers: whole ? OptionalTenantKeyHeader : TenantKeyHeader,
          body: whole ? RuntimeRequest : TenantRuntimeRequest,
          response: { 200: RuntimeAnswer },
        },
      },
      (request) => {
        const body = request.body as RuntimeRequest;
        return kernel.control(levelOf(request, body), action, { deed: deedOf(request), reason: body.reason ?? null });
      },
    );
  }
}

function levelOf({ tenantId: ofKey }: FastifyRequest, { tenant_id, scope_id }: RuntimeRequest) {
  if (ofKey !== null && tenant_id !== undefined && tenant_id !== ofKey)
    throw invalid('body/tenant_id', 'is not the tenant of X-Tenant-API-Key; leave one of them out');
  const tenantId = ofKey ?? tenant_id ?? null;
  if (scope_id !== undefined && tenantId === null)
    throw invalid('body/tenant_id', 'is required to address a scope, or the header X-Tenant-API-Key is');
  return { tenantId, scopeId: scope_id ?? null };
}
