/** Deprecated paths of the internals tier: the same answer as the path that replaced each, and a word about it. */
import type { RouteOptions } from 'fastify';
import type { App } from '../deps.ts';

/** By what replaced it. */
const ALIASES: Record<string, string> = {
  '/internals/kernel/events': '/internals/events',
  '/internals/kernel/convergence': '/internals/convergence',
  '/internals/kernel/hatchery/snapshot': '/internals/hatchery/snapshot',
  '/internals/kernel/control-plane/health': '/internals/control-plane/health',
};
/** When they were deprecated, 1 November 2026, as RFC 9745 writes it. */
const DEPRECATED = '@1793491200';

/** To be called after the routes that have aliases. */
export function mountAliases(app: App): void {
  for (const route of [...app.routes]) {
    const alias = ALIASES[route.url];
    if (alias && route.method === 'GET') app.route(aliasOf(route, alias.slice(app.prefix.length)));
  }
}

function aliasOf(route: RouteOptions, url: string): RouteOptions {
  const { operationId, ...schema } = route.schema as { operationId: string };
  return {
    method: 'GET',
    url,
    schema: {
      ...schema,
      operationId: `${operationId}Deprecated`,
      deprecated: true,
      description: `Use ${route.url}.`,
    } as RouteOptions['schema'] & object,
    onRequest: async (_request, reply) => {
      reply.header('deprecation', DEPRECATED).header('link', `<${route.url}>; rel="successor-version"`);
    },
    ...(route.config && { config: route.config }),
    ...(route.exposeHeadRoute !== undefined && { exposeHeadRoute: route.exposeHeadRoute }),
    handler: route.handler,
  };
}
