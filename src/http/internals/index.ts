/** The internals tier, for the kernel's own operators. */
import { admitOperators } from '../auth.ts';
import { mountControlPlaneHealth } from '../control-plane.ts';
import type { App, Deps } from '../deps.ts';
import { mountRuntime } from '../runtime-routes.ts';
import { mountTierHealth } from '../tier-health.ts';
import { declareTier, refuseOtherMethods } from '../tiers.ts';
import { mountAliases } from './aliases.ts';
import { mountEvents } from './events.ts';
import { mountKernel } from './kernel.ts';

export async function internalsTier(app: App, deps: Deps): Promise<void> {
  const methods = declareTier(app, 'internals');
  await admitOperators(app, deps.keyring, ['internals']);
  mountTierHealth(app, 'internals');
  mountKernel(app, deps);
  mountEvents(app, deps);
  mountControlPlaneHealth(app, deps, '/kernel/control-plane/health', 'getControlPlaneHealth');
  mountRuntime(app, deps, { path: '/kernel/runtime', operation: 'kernelRuntime', whole: false });
  mountAliases(app);
  refuseOtherMethods(app, methods);
}
