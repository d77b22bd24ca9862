import { expect, it } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { declareTier, requireTiers } from '../../src/http/tiers.ts';
import { createLog } from '../../src/log.ts';

function emptyApp() {
  const app = createServer(
    { requestTimeoutMs: 1000, handlerTimeoutMs: 1000, maxConnections: 10, onUnavailable: () => {} },
    createLog('silent'),
  );
  requireTiers(app);
  return app;
}

it('does not start with a route outside the tiers', async () => {
  const app = emptyApp();
  app.get('/stray', () => 'x');
  await expect(app.ready()).rejects.toThrow('/stray is in no tier');
});

it('does not start with a route of a tier under another prefix', async () => {
  const app = emptyApp();
  app.register(
    async (admin) => {
      declareTier(admin, 'admin');
      admin.get('/x', () => 'x');
    },
    { prefix: '/administration' },
  );
  await expect(app.ready()).rejects.toThrow('/administration/x is not under /admin');
});
