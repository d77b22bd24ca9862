/** What is read and decided with a tenant's key, once more for operators: there the path names the tenant, in place of its key. */
import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { FastifySchema, RouteOptions } from 'fastify';
import { ScopePath } from '../contract/common.ts';
import { TenantPath } from '../contract/tenants.ts';
import { actForTenantInPath } from './auth.ts';
import type { App, Deps } from './deps.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * That it is there for operators, too, and whose turns they take: of those who read, or who change. A stream takes none, and
     * one who waits takes them by itself.
     */
    forOperators?: 'reads' | 'changes' | 'stream' | 'waits';
  }
}

/** To be called after the routes of the tiers: each that says so is mounted under /tenants/{tenantId}. */
export function mountForOperators(app: App, deps: Deps): void {
  const isMeant = ({ method, config }: RouteOptions) => method !== 'HEAD' && config?.forOperators !== undefined;
  for (const route of app.routes.filter(isMeant)) app.route(toOperatorRoute(route, deps));
}

interface Described extends FastifySchema {
  operationId: string;
  headers?: TObject;
  params?: TObject;
  querystring?: TObject;
}

function toOperatorRoute({ method, url, config, exposeHeadRoute, schema, handler }: RouteOptions, deps: Deps) {
  const { forOperators = 'reads', errors = [], auditsOperators, ...otherConfig } = config ?? {};
  const { operationId, headers, params, querystring, ...rest } = schema as Described;
  const { 'X-Tenant-API-Key': _key, ...otherHeaders } = headers?.properties ?? {};
  const { scope_id, ...query } = querystring?.properties ?? {};
  const path = url.replace(/^\/(api|admin)/, '');
  const isOfScopes = path.startsWith('/scopes');
  return {
    method,
    url: isOfScopes ? `/tenants/:tenantId${path}` : `/tenants/:tenantId/scopes/:scopeId${path}`,
    ...(exposeHeadRoute !== undefined && { exposeHeadRoute }),
    config: {
      ...otherConfig,
      ...(auditsOperators && { audits: auditsOperators }),
      // Whoever has the key of an operator is not limited as tenants are.
      errors: ['not_found' as const, ...errors.filter((code) => !OF_TENANTS.has(code))],
    },
    // What is in the path is checked by then.
    preHandler: actForTenantInPath(
      deps,
      forOperators === 'reads' || forOperators === 'changes' ? deps[forOperators] : null,
    ),
    schema: {
      ...rest,
      operationId: `${operationId.replace('Own', '')}OfTenant`,
      params: Type.Object({
        ...TenantPath.properties,
        ...(isOfScopes ? {} : ScopePath.properties),
        ...params?.properties,
      }),
      ...(Object.keys(otherHeaders).length > 0 && { headers: Type.Object(otherHeaders) }),
      ...(querystring && { querystring: withProperties(querystring, query) }),
    },
    handler(request, reply) {
      const { scopeId } = request.params as { scopeId?: string };
      if (scope_id) request.query = { ...(request.query as object), scope_id: scopeId };
      return handler.call(this, request, reply);
    },
  } satisfies RouteOptions;
}

const OF_TENANTS = new Set(['unauthorized', 'not_found', 'too_many_requests']);

/** As strict as it was. */
function withProperties({ additionalProperties }: TObject, properties: TProperties): TObject {
  return Type.Object(properties, additionalProperties === undefined ? {} : { additionalProperties });
}
