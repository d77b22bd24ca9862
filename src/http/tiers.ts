/** Every route belongs to a tier, or the service does not start; and every path says which methods and parameters it takes. */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { AnswerHeader } from '../contract/headers.ts';
import { AppError, type ErrorCode } from '../errors.ts';

/** `open` is for what belongs to no tier: the probes and the documentation. */
export type Tier = 'public' | 'admin' | 'internals' | 'open';

/** Whether its routes ask for an operator's key. */
export const asksOperators = (tier: Tier | undefined) => tier !== 'public' && tier !== 'open';

/** What may be asked without changing anything. */
export const isReading = (method: string) => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

const PREFIXES: Record<Exclude<Tier, 'open'>, string> = { public: '/api', admin: '/admin', internals: '/internals' };

declare module 'fastify' {
  interface FastifyContextConfig {
    tier?: Tier;
    /** What the handler may answer beside what its tier, body and parameters imply; for the contract. */
    errors?: ErrorCode[];
    /** By status, what its own answers carry beside what all do; for the contract. */
    headers?: Partial<Record<number, AnswerHeader[]>>;
  }
  interface FastifyInstance {
    /** Every route there is, as it was declared. */
    routes: RouteOptions[];
  }
}

/** To be called before any route is added: refuses to start with a route outside a tier. */
export function requireTiers(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('routes', routes);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const tier = config?.tier;
      if (!tier) throw new Error(`${method} ${url} is in no tier: mount it in the plugin of one`);
      if (tier !== 'open' && !url.startsWith(`${PREFIXES[tier]}/`))
        throw new Error(`${method} ${url} is not under ${PREFIXES[tier]}`);
    }
  });
}

/** For a route that says nothing of a query: whatever is in one is refused, as what they do not know is by those that say something. */
const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Puts every route that this plugin adds from here on into a tier. Returns what it saw: the methods of each path. */
export function declareTier(app: FastifyInstance, tier: Tier): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, tier };
    if (tier !== 'open') route.schema = { querystring: NO_QUERY, ...route.schema };
    const taken = methods.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) taken.add(method);
    methods.set(route.url, taken);
  });
  return methods;
}

/** To be called after the routes of a tier: every other method on their paths answers 405, once the key was checked. */
export function refuseOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>): void {
  for (const [url, taken] of [...methods]) {
    const allow = [...taken].join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !taken.has(method)),
      // The tier's prefix is put before it again.
      url: url.slice(app.prefix.length),
      schema: { hide: true },
      onRequest: async (request, reply) => {
        reply.header('allow', allow);
        throw new AppError('method_not_allowed', `${request.method} is not possible here; use ${allow}.`);
      },
      handler: () => {},
    });
  }
}
