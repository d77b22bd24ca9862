/** GET /api/health: for load balancers and newcomers; no key. */
import { HealthResponse, UnavailableResponse } from '../../contract/health.ts';
import { CONTRACT_VERSION } from '../../contract/version.ts';
import type { App, Deps } from '../deps.ts';

export function mountHealth(app: App, { health }: Deps): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Can documents be accepted?',
        tags: ['health'],
        response: { 200: HealthResponse, 503: UnavailableResponse },
      },
    },
    async (_request, reply) => {
      const available = await health.isAvailable();
      return reply
        .code(available ? 200 : 503)
        .send({ status: available ? 'ok' : 'unavailable', version: CONTRACT_VERSION });
    },
  );
}
