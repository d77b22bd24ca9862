/** Refuses a token for streams where none is taken: whoever sends it there takes it for a key, and is told at once that it is none. */
import type { FastifyRequest } from 'fastify';
import { type AppError, invalid } from '../errors.ts';

/** By the query as it came, before any key is asked for: with a token, there is none. */
export function strayToken({ query, routeOptions }: FastifyRequest): AppError | undefined {
  if ((query as { token?: unknown }).token === undefined) return undefined;
  const { config, schema } = routeOptions;
  const declared = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {};
  if (config.tier === 'open' || 'token' in declared) return undefined;
  return invalid(
    'query/token',
    'is not taken here; it opens GET /api/events and GET /api/scopes/{scopeId}/events only',
  );
}
