/** The internals tier, for the kernel's own operators. */
import { admitOperators } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { mountTierHealth } from '../tier-health.ts';
import { declareTier, refuseOtherMethods } from '../tiers.ts';

export async function internalsTier(app: App, { keyring }: Deps): Promise<void> {
  const methods = declareTier(app, 'internals');
  await admitOperators(app, keyring, ['internals']);
  mountTierHealth(app, 'internals');
  refuseOtherMethods(app, methods);
}
