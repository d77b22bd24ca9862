/** /livez and /readyz, for those who start, stop and balance processes: no key, and answered from memory. */
import { HealthResponse, NotReadyResponse } from '../contract/health.ts';
import { CONTRACT_VERSION } from '../contract/version.ts';
import type { App, Deps } from './deps.ts';
import { declareTier, refuseOtherMethods } from './tiers.ts';

const tags = ['health'];
/** Nothing is waited for. */
const config = { boundsItself: true };

export async function probes(app: App, { readiness }: Pick<Deps, 'readiness'>): Promise<void> {
  const methods = declareTier(app, 'open');
  const ok = { status: 'ok', version: CONTRACT_VERSION };

  app.get(
    '/livez',
    {
      config,
      schema: {
        operationId: 'getLiveness',
        summary: 'Does the process run?',
        description:
          '200 as long as the process answers at all, whatever became of Postgres: to restart it would mend nothing.',
        tags,
        response: { 200: HealthResponse },
      },
    },
    async () => ok,
  );

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        summary: 'Should this process be given work?',
        description:
          '200 while documents can be accepted or, on a worker, processed; else 503, which says why not, and so from ' +
          'the moment the process is told to end. It is known from a look every second: asking costs no query.',
        tags,
        response: { 200: HealthResponse, 503: NotReadyResponse },
      },
    },
    async (_request, reply) => {
      const { whyNot } = readiness;
      if (whyNot === null) return ok;
      return reply.code(503).send({ ...ok, status: 'unavailable', detail: whyNot });
    },
  );
  refuseOtherMethods(app, methods);
}
