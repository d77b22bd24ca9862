/**
 * What a route asks of a tenant's key: a permission, which its guard checks, and the scopes that the request names, which are
 * checked here for all routes. A route that says neither keeps the service from starting.
 */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { type Access, type Permission, requireAllScopes, requireReach, requireReachToPost } from '../domain/access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What whoever asks may do for the tenant; null where no tenant is acted for. */
    access: Access | null;
  }
  interface FastifyContextConfig {
    /** For what is there for everybody, under /api. */
    needsNoKey?: boolean;
    /** No scope id has to be in the request: the handler itself leaves out or refuses the scopes that a key may not reach. */
    checksScopes?: boolean;
    /** Set here: what it asks of a tenant's key. */
    asks?: Asked;
  }
}

interface Asked {
  permission: Permission;
  scopesIn: Part[];
}

type Part = keyof typeof PARTS;

/** Where a scope id may stand, by the name that it has there. */
const PARTS = {
  params: { schema: 'params', name: 'scopeId' },
  query: { schema: 'querystring', name: 'scope_id' },
  body: { schema: 'body', name: 'scope_id' },
} as const;

/** Guards of tenants' routes, by what they ask for. */
const asked = new WeakMap<object, Permission>();

/** Remembers of a guard what it asks for. */
export function asking<Guard extends object>(permission: Permission, guard: Guard): Guard {
  asked.set(guard, permission);
  return guard;
}

/** To be called before any route is added. */
export function requireAccess(app: FastifyInstance): void {
  app.decorateRequest('access', null);
  app.addHook('onRoute', (route) => {
    // The copy of a route has guards of its own.
    const { asks: _asks, ...config } = route.config ?? {};
    const permission = askedByGuards(route);
    route.config = permission ? { ...config, asks: { permission, scopesIn: scopesIn(route) } } : config;
  });
  app.addHook('onReady', async () => {
    for (const route of app.routes) {
      const wrong = findOmission(route);
      if (wrong) throw new Error(`${route.method} ${route.url} ${wrong}`);
    }
  });
  // What the request says is known to fit the contract by then, and nothing was looked up yet.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.access === null || request.access.scopeIds === null) return done();
    try {
      checkScopes(request, request.access);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}

/** What its guard asks of the key of a tenant; null for a route that takes none. */
function askedByGuards({ onRequest }: Pick<RouteOptions, 'onRequest'>): Permission | null {
  for (const guard of [onRequest ?? []].flat()) {
    const permission = asked.get(guard);
    if (permission) return permission;
  }
  return null;
}

type Schema = { properties?: object } | undefined;

function scopesIn({ schema }: RouteOptions): Part[] {
  const has = (part: Part) => PARTS[part].name in ((schema?.[PARTS[part].schema] as Schema)?.properties ?? {});
  return (Object.keys(PARTS) as Part[]).filter(has);
}

function findOmission({ config, schema }: RouteOptions): string | null {
  if (config?.tier === 'open' || config?.needsNoKey || (schema as { hide?: boolean } | undefined)?.hide) return null;
  const takesKey = 'X-Tenant-API-Key' in ((schema?.headers as Schema)?.properties ?? {});
  if (!config?.asks) {
    if (!takesKey && config?.tier !== 'public') return null;
    return 'asks for no permission: guard it with a hook of auth.ts';
  }
  if (config.asks.scopesIn.length > 0 || config.checksScopes) return null;
  return 'names no scope: have its handler look at request.access, and say so with checksScopes';
}

function checkScopes({ routeOptions: { config }, params, query, body }: FastifyRequest, access: Access): void {
  if (!config.asks) throw new Error('a tenant is acted for on a route that asks for no permission');
  const { permission, scopesIn } = config.asks;
  const parts = { params, query, body } as Record<Part, Record<string, string | undefined> | undefined>;
  const named = scopesIn.flatMap((part) => parts[part]?.[PARTS[part].name] ?? []);
  if (named.length === 0 && !config.checksScopes) requireAllScopes(access);
  for (const scopeId of named)
    if (permission === 'ingest') requireReachToPost(access, scopeId);
    else requireReach(access, scopeId);
}

export function accessOf(request: FastifyRequest): Access {
  if (!request.access) throw new Error(`${request.routeOptions.url} asks for access that nothing has checked`);
  return request.access;
}
