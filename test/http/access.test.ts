import { expect, it } from 'vitest';
import { asking, requireAccess } from '../../src/http/access.ts';
import { createServer } from '../../src/http/server.ts';
import { declareTier, requireTiers } from '../../src/http/tiers.ts';
import { createLog } from '../../src/log.ts';

/** An app with one route of a tier. */
function appWith(tier: 'public' | 'admin', url: string, options: object) {
  const app = createServer(
    { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
    createLog('silent'),
  );
  requireTiers(app);
  requireAccess(app);
  app.register(
    async (inTier) => {
      declareTier(inTier, tier);
      inTier.get(url, options, () => 'x');
    },
    { prefix: tier === 'public' ? '/api' : '/admin' },
  );
  return app.ready();
}

const guard = { onRequest: asking('read', async () => {}) };
const header = { headers: { properties: { 'X-Tenant-API-Key': {} } } };
const scope = { params: { type: 'object', properties: { scopeId: { type: 'string' } } } };

it('does not start with a route for tenants that asks for no permission', async () => {
  await expect(appWith('public', '/x', {})).rejects.toThrow('GET /api/x asks for no permission');
  await expect(appWith('public', '/x', { onRequest: async () => {} })).rejects.toThrow('asks for no permission');
  await expect(appWith('admin', '/x', { schema: header })).rejects.toThrow('GET /admin/x asks for no permission');
});

it('does not start with one that says nothing of scopes', async () => {
  await expect(appWith('public', '/x', guard)).rejects.toThrow('GET /api/x names no scope');
  await expect(appWith('admin', '/x', { ...guard, schema: header })).rejects.toThrow('GET /admin/x names no scope');
});

it('starts with those that say both, and with those that have nothing to do with tenants', async () => {
  await appWith('public', '/x/:scopeId', { ...guard, schema: scope });
  await appWith('public', '/x', { ...guard, config: { checksScopes: true } });
  await appWith('public', '/x', { config: { needsNoKey: true } });
  await appWith('admin', '/x', {});
});
