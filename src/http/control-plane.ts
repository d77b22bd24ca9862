/** The control plane's health, which both operator tiers show. */
import { ControlPlaneHealth } from '../contract/kernel.ts';
import type { App, Deps } from './deps.ts';

const schema = {
  summary: 'Do all parts of the kernel work, and does work that can run make progress?',
  description: 'Each part with what is wrong with it, and all nodes. 503 when one of the parts is down.',
  tags: ['kernel'],
  response: { 200: ControlPlaneHealth, 503: ControlPlaneHealth },
};

export function mountControlPlaneHealth(app: App, { kernel }: Deps, path: string, operationId: string): void {
  const config = { standsThroughOutages: true };
  app.get(path, { config, schema: { ...schema, operationId } }, async (request, reply) => {
    const health = await kernel.controlPlaneHealth(request.waitedMs);
    return reply.code(health.status === 'ok' ? 200 : 503).send(health);
  });
}
