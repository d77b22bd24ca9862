/** The public tier, for tenants. */
import type { App, Deps } from '../deps.ts';
import { declareTier, refuseOtherMethods } from '../tiers.ts';
import { mountHealth } from './health.ts';

export async function publicTier(app: App, deps: Deps): Promise<void> {
  const methods = declareTier(app, 'public');
  mountHealth(app, deps);
  refuseOtherMethods(app, methods);
}
