/** Every route there is × every credential there is. The routes come from the app, so a new one cannot be left out. */
import { describe, expect, it } from 'vitest';
import { mintKey } from '../../src/domain/key-format.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const { call, admin, internals } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();

const bearers = {
  'no key': undefined,
  'an empty key': '',
  'a malformed key': 'da_short',
  'an unknown admin key': mintKey('admin').key,
  'an unknown internals key': mintKey('internals').key,
  'a key with a changed last letter': admin.slice(0, -1) + (admin.endsWith('0') ? '1' : '0'),
  'a tenant key': tenant.key,
  'an admin key': admin,
  'an internals key': internals,
};

type Bearer = keyof typeof bearers;
const admitted: Record<string, Bearer[]> = {
  public: Object.keys(bearers) as Bearer[],
  open: Object.keys(bearers) as Bearer[],
  admin: ['an admin key', 'an internals key'],
  internals: ['an internals key'],
};
const forbidden: Record<string, Bearer[]> = { internals: ['an admin key'] };

const routes = service.app.routes
  .flatMap((route) =>
    [route.method].flat().map((method) => ({ method, url: route.url, tier: route.config?.tier as string, route })),
  )
  .filter(({ method }) => method !== 'HEAD' && method !== 'TRACE');
const path = (url: string) => url.replaceAll(/:[a-zA-Z]+/g, 'nobody');

it('has routes to look at in every tier', () => {
  expect(new Set(routes.map(({ tier }) => tier))).toEqual(new Set(['public', 'open', 'admin', 'internals']));
});

describe.each(routes)('$method $url ($tier)', ({ method, url, tier, route }) => {
  it('admits whom it should', async () => {
    for (const [name, key] of Object.entries(bearers) as [Bearer, string | undefined][]) {
      const { status, headers } = await call(method, path(url), {
        ...(key !== undefined && { key }),
        tenantKey: tenant.key,
      });
      expect(status, name).toBeLessThan(500);
      if (admitted[tier]?.includes(name)) expect([401, 403], name).not.toContain(status);
      else if (forbidden[tier]?.includes(name)) expect(status, name).toBe(403);
      else expect([status, headers.get('www-authenticate')], name).toEqual([401, 'Bearer realm="docket"']);
    }
  });

  const headers = route.schema?.headers as { properties?: object; required?: string[] } | undefined;
  const declared = headers?.properties ?? {};
  const status = async (options: { tenantId?: string; tenantKey?: string }) =>
    (await call(method, path(url), { key: internals, ...options })).status;

  if ('X-Tenant-ID' in declared) {
    it.each([
      ['no tenant', {}, 400],
      ['an unknown tenant', { tenantId: 'ten_nobody' }, 401],
      ['a malformed tenant key', { tenantId: tenant.tenantId, tenantKey: 'dk_short' }, 401],
      ['an unknown tenant key', { tenantId: tenant.tenantId, tenantKey: mintKey('tenant').key }, 401],
      ['the key of another tenant', { tenantId: tenant.tenantId, tenantKey: other.key }, 401],
      ['an operator key as tenant key', { tenantId: tenant.tenantId, tenantKey: admin }, 401],
    ])('with %s', async (_name, options, expected) => expect(await status(options)).toBe(expected));
  } else if ('X-Tenant-API-Key' in declared) {
    const takesToken = 'token' in ((route.schema?.querystring as { properties?: object })?.properties ?? {});
    it.each([
      ['no tenant key', {}, headers?.required?.includes('X-Tenant-API-Key') || takesToken ? 400 : 200],
      ['a malformed tenant key', { tenantKey: 'dk_short' }, 401],
      ['an unknown tenant key', { tenantKey: mintKey('tenant').key }, 401],
      ['an operator key as tenant key', { tenantKey: admin }, 401],
      ['a key of another tenant than it says', { tenantKey: other.key, tenantId: tenant.tenantId }, 401],
    ])('with %s', async (_name, options, expected) => expect(await status(options)).toBe(expected));
  }
});

it('answers an unknown key and a malformed one with the same words', async () => {
  const answers = await Promise.all(
    [mintKey('admin').key, 'nonsense', 'da_12345678_x'].map((key) => call('GET', '/admin/health', { key })),
  );
  const words = answers.map(({ body: { request_id, ...rest } }) => rest);
  expect(words[1]).toEqual(words[0]);
  expect(words[2]).toEqual(words[0]);
});

it('takes the scheme in any case and any number of spaces before the key, and no other scheme', async () => {
  const status = async (authorization: string) =>
    (await call('GET', '/admin/health', { headers: { authorization } })).status;
  expect(await status(`bearer ${admin}`)).toBe(200);
  expect(await status(`BEARER ${admin}`)).toBe(200);
  expect(await status(`Bearer   ${admin}`)).toBe(200);
  expect(await status(`Bearer${admin}`)).toBe(401);
  expect(await status(`Basic ${admin}`)).toBe(401);
  expect(await status(admin)).toBe(401);
});

it('refuses before it reads a body', async () => {
  const answer = await call('POST', '/admin/tenants', { body: '{ not json' });
  expect(answer.status).toBe(401);
});
