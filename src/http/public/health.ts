/** GET /api/health: for load balancers and newcomers; no key. */
import { HealthResponse, UnavailableResponse } from '../../contract/health.ts';
import { CONTRACT_VERSION } from '../../contract/version.ts';
import type { App, Deps } from '../deps.ts';

export function mountHealth(app: App, { health }: Deps): void {
  app.get(
    '/health',
    {
      config: { needsNoKey: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Can documents be accepted?',
        description: 'For load balancers: 200 while documents can be accepted, and else 503, which says why not.',
        tags: ['health'],
        response: { 200: HealthResponse, 503: UnavailableResponse },
      },
    },
    async (_request, reply) => {
      const detail = await health.whyUnavailable();
      if (detail === null) return { status: 'ok', version: CONTRACT_VERSION };
      return reply.code(503).send({ status: 'unavailable', version: CONTRACT_VERSION, detail });
    },
  );
}
