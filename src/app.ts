/** The app: what stands before every route, then the tiers. Reads as a table of contents. */
import type { FastifyBaseLogger } from 'fastify';
import { requireAccess } from './http/access.ts';
import { adminTier } from './http/admin/index.ts';
import { requireAudits } from './http/audits.ts';
import { declareIdentity } from './http/auth.ts';
import type { App, Deps } from './http/deps.ts';
import { docs } from './http/docs.ts';
import { internalsTier } from './http/internals/index.ts';
import { useOpenApi } from './http/openapi.ts';
import { probes } from './http/probes.ts';
import { publicTier } from './http/public/index.ts';
import { createServer, type ServerOptions } from './http/server.ts';
import { requireTiers } from './http/tiers.ts';

export interface AppOptions extends ServerOptions {
  /** A worker serves only the probes, the health routes, and the internals tier: each node is looked at by itself. */
  servesApi: boolean;
}

export async function buildApp(options: AppOptions, deps: Deps, log: FastifyBaseLogger): Promise<App> {
  const app = createServer({ ...options, figures: deps.figures }, log);
  requireTiers(app);
  requireAccess(app);
  requireAudits(app);
  declareIdentity(app);
  await useOpenApi(app);

  const { servesApi } = options;
  await app.register(probes, deps);
  await app.register(publicTier, { prefix: '/api', servesApi, ...deps });
  await app.register(adminTier, { prefix: '/admin', servesApi, ...deps });
  await app.register(internalsTier, { prefix: '/internals', ...deps });
  if (servesApi) await app.register(docs);
  return app;
}
