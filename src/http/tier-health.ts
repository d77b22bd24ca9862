/** The health route that the two operator tiers have in common: it also tells which tier the key has, and whether it only reads. */
import { TierHealthResponse } from '../contract/health.ts';
import type { App } from './deps.ts';

export function mountTierHealth(app: App, tier: 'admin' | 'internals'): void {
  app.get(
    '/health',
    {
      config: { standsThroughOutages: true },
      schema: {
        operationId: `get${tier === 'admin' ? 'Admin' : 'Internals'}Health`,
        summary: `Is the ${tier} tier there, and what is my key?`,
        description: 'Whoever gets an answer has a key that is good here; `authTier` is the tier of that key.',
        tags: ['health'],
        response: { 200: TierHealthResponse },
      },
    },
    async ({ operator }) => ({
      status: 'ok',
      tier,
      authTier: operator?.tier ?? null,
      ...(operator && { read_only: operator.readOnly }),
    }),
  );
}
