/** Every route of operators × keys that only read. The routes come from the app, so a new one cannot be left out. */
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/domain/keys.ts';
import { asksOperators, isReading } from '../../src/http/tiers.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, db } = service;
const tenant = await service.newTenant();
const issue = async (tier: 'admin' | 'internals') =>
  (await issueKey(db, tier, { readOnly: true }, BY_COMMAND_LINE)).key;
const keys = { admin: await issue('admin'), internals: await issue('internals') };

const routes = service.app.routes
  .flatMap(({ method, url, config, schema }) =>
    [method].flat().map((one) => ({ method: one, url, tier: config?.tier, isHidden: schema && 'hide' in schema })),
  )
  .filter(({ tier, isHidden }) => asksOperators(tier) && !isHidden);
const path = (url: string) => url.replaceAll(/:[a-zA-Z_]+/g, 'nobody');

it('has routes to look at that read, and some that change', () => {
  expect(routes.filter(({ method }) => isReading(method)).length).toBeGreaterThan(40);
  expect(routes.filter(({ method }) => !isReading(method)).length).toBeGreaterThan(20);
});

describe.each(routes)('$method $url', ({ method, url, tier }) => {
  it(isReading(method) ? 'is for who reads, too' : 'is not for who only reads', async () => {
    const key = tier === 'internals' ? keys.internals : keys.admin;
    for (const used of new Set([key, keys.internals])) {
      const { status, body } = await call(method, path(url), { key: used, tenantKey: tenant.key });
      if (isReading(method)) expect([200, 400, 404, 409, 503]).toContain(status);
      else expect([status, body.code, body.detail]).toEqual([403, 'forbidden', expect.stringContaining('read-only')]);
    }
  });
});

it('leaves the tiers apart', async () => {
  const { status, body } = await call('GET', '/internals/health', { key: keys.admin });
  expect([status, body.detail]).toEqual([403, expect.stringContaining('internals')]);
});

it('is told by the health of a tier', async () => {
  const told = async (path: string, key: string) => (await call('GET', path, { key })).body;
  expect(await told('/admin/health', keys.admin)).toMatchObject({ authTier: 'admin', read_only: true });
  expect(await told('/internals/health', keys.internals)).toMatchObject({ authTier: 'internals', read_only: true });
  expect(await told('/admin/health', service.admin)).toMatchObject({ authTier: 'admin', read_only: false });
});

it('changes nothing by what it may not do', async () => {
  const { tenantId } = tenant;
  expect((await call('DELETE', `/admin/tenants/${tenantId}`, { key: keys.internals })).status).toBe(403);
  expect((await call('GET', `/admin/tenants/${tenantId}`, { key: keys.admin })).status).toBe(200);
  const { rows } = await db.query(`select from audit_log where actor = $1`, [keys.internals.slice(0, 11)]);
  expect(rows).toEqual([]);
});

it('is stored with a tier of its own, which a release that knows no such keys does not have in its list', async () => {
  const { rows } = await db.query('select tier from api_keys where key_prefix = any ($1) order by tier', [
    Object.values(keys).map((key) => key.slice(0, 11)),
  ]);
  expect(rows).toEqual([{ tier: 'admin_reader' }, { tier: 'internals_reader' }]);
});
