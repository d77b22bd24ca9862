/** The admin tier, for operators. */
import { admitOperators } from '../auth.ts';
import { mountControlPlaneHealth } from '../control-plane.ts';
import type { App, Deps } from '../deps.ts';
import { mountForOperators } from '../operator-routes.ts';
import { mountRuntime } from '../runtime-routes.ts';
import { mountTierHealth } from '../tier-health.ts';
import { declareTier, refuseOtherMethods } from '../tiers.ts';
import { mountAudit } from './audit.ts';
import { mountContradictions } from './contradictions.ts';
import { mountDocumentLife } from './document-life.ts';
import { mountDocuments } from './documents.ts';
import { mountFoundDocuments } from './found-documents.ts';
import { mountRuntimeLevels } from './runtime-levels.ts';
import { mountScopeEvents } from './scope-events.ts';
import { mountScopeWork } from './scope-work.ts';
import { mountScopes } from './scopes.ts';
import { mountTenantKeys } from './tenant-keys.ts';
import { mountTenants } from './tenants.ts';

export async function adminTier(app: App, deps: Deps & { servesApi: boolean }): Promise<void> {
  const methods = declareTier(app, 'admin');
  await admitOperators(app, deps.keyring, ['admin', 'internals']);
  mountTierHealth(app, 'admin');
  mountControlPlaneHealth(app, deps, '/control-plane/health', 'getControlPlaneHealthAsAdmin');
  if (deps.servesApi) {
    mountTenants(app, deps);
    mountTenantKeys(app, deps);
    mountScopes(app, deps);
    mountScopeWork(app, deps);
    mountScopeEvents(app, deps);
    mountDocuments(app, deps);
    mountContradictions(app, deps);
    mountFoundDocuments(app, deps);
    mountDocumentLife(app, deps);
    mountForOperators(app, deps);
    mountRuntimeLevels(app, deps);
    mountRuntime(app, deps, { path: '/runtime', operation: 'runtime', whole: true });
    mountAudit(app, deps);
  }
  refuseOtherMethods(app, methods);
}
