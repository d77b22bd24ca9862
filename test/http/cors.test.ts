/** Pages of other origins: whose are let in, to what, and that every answer says so, refusals and streams included. */
import { describe, expect, it } from 'vitest';
import { CORS_HEADERS, CORS_METHODS } from '../../src/http/cors.ts';
import { startTestService } from '../support/service.ts';
import { openStream } from '../support/stream.ts';

const ORIGIN = 'https://app.example.com';
const settings = { CORS_ORIGINS: `${ORIGIN},http://localhost:5173`, TENANT_STREAMS: '1' };
const service = await startTestService({ settings });
const { call, admin, url } = service;
const tenant = await service.newTenant();

const names = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const preflight = (path: string, origin: string, more = {}) =>
  call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST', ...more } });

describe('an allowed origin', () => {
  const ask = async (method: string, path: string, options: Parameters<typeof call>[2] = {}) => {
    const { status, headers } = await call(method, path, { ...options, headers: { origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-expose-headers')).toBe(
      'Location, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed',
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toBe('Origin');
    return status;
  };
  const own = { tenantKey: tenant.key };
  const post = (text: string) => ({ tenantId: tenant.tenantId, body: { scope_id: 's', name: 'n', text } });

  it('reads every answer, whatever it is', async () => {
    expect(await ask('POST', '/api/ingest', post('t'))).toBe(202);
    expect(await ask('GET', '/api/scopes', own)).toBe(200);
    expect(await ask('GET', '/api/scopes')).toBe(400);
    expect(await ask('GET', '/api/scopes', { tenantKey: 'dk_wrong' })).toBe(401);
    expect(await ask('GET', '/api/scopes/nowhere', own)).toBe(404);
    expect(await ask('GET', '/api/nowhere')).toBe(404);
    expect(await ask('PUT', '/api/scopes')).toBe(405);
    expect(await ask('POST', '/api/ingest', post('t'.repeat(3_000_000)))).toBe(413);
    // Before any hook.
    expect(await ask('GET', '/api/scopes/%zz')).toBe(400);
    expect(await ask('GET', `/api/scopes/${'a'.repeat(3000)}`)).toBe(414);
    // One read a second, so that a slow machine comes to its end, too.
    const slow = await service.newTenant();
    await call('PATCH', `/admin/tenants/${slow.tenantId}`, { key: admin, body: { limits: { reads_per_s: 1 } } });
    const reads = Array.from({ length: 20 }, () => ask('GET', '/api/scopes', { tenantKey: slow.key }));
    expect(await Promise.all(reads)).toContain(429);
  });

  it('reads streams, and that there are too many', async () => {
    const guest = await service.newTenant();
    const headers = { origin: ORIGIN, 'x-tenant-api-key': guest.key };
    const [stream, refused] = [
      await openStream(url, '/api/events', headers),
      await openStream(url, '/api/events', headers),
    ];
    expect([stream.status, refused.status]).toEqual([200, 503]);
    for (const { headers } of [stream, refused]) {
      expect(headers).toMatch(/^access-control-allow-origin: https:\/\/app\.example\.com\r$/im);
      expect(headers).toMatch(/^access-control-expose-headers: Location, /im);
      expect(headers).toMatch(/^vary: Origin\r$/im);
    }
  });

  it('asks beforehand without a key, also for what there is not', async () => {
    for (const path of ['/api/ingest', '/api/scopes/s', '/api/nowhere']) {
      const { status, headers, body } = await preflight(path, ORIGIN);
      expect([status, body]).toEqual([204, '']);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-methods')).toBe(CORS_METHODS.join(', '));
      expect(headers.get('access-control-allow-headers')).toBe(CORS_HEADERS.join(', '));
      expect(headers.get('access-control-max-age')).toBe('7200');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('x-request-id')).toBeTruthy();
    }
  });

  it('may send every method and every header that tenants have a use for', () => {
    const routes = service.app.routes.filter(({ config, schema }) => config?.tier === 'public' && !isHidden(schema));
    expect(routes.length).toBeGreaterThan(15);
    for (const { method, schema } of routes) {
      expect(CORS_METHODS).toEqual(expect.arrayContaining([method].flat()));
      const declared = Object.keys((schema?.headers as { properties?: object } | undefined)?.properties ?? {});
      expect(CORS_HEADERS).toEqual(expect.arrayContaining(declared));
    }
  });

  const isHidden = (schema: unknown) => (schema as { hide?: boolean } | undefined)?.hide === true;
});

describe('any other origin', () => {
  it.each([
    'null',
    '',
    '*',
    'https://APP.example.com',
    'https://app.example.com:444',
    'https://app.example.com:443',
    'http://app.example.com',
    'https://app.example.com/',
    'https://app.example.com.evil.example',
    'https://evil.example?https://app.example.com',
    `${ORIGIN}, http://localhost:5173`,
  ])('%j is answered as if there were no page', async (origin) => {
    const { status, headers } = await call('GET', '/api/health', { headers: { origin } });
    expect([status, names(headers), headers.get('vary')]).toEqual([200, [], 'Origin']);
    const asked = await preflight('/api/scopes', origin);
    expect([asked.status, names(asked.headers), asked.headers.get('allow')]).toEqual([405, [], 'GET, HEAD']);
  });

  it('and none at all, too', async () => {
    const { headers } = await call('GET', '/api/health');
    expect([names(headers), headers.get('vary')]).toEqual([[], 'Origin']);
  });
});

describe('what is no question of a browser', () => {
  it('405: OPTIONS that does not say what it asks for', async () => {
    const { status, headers } = await call('OPTIONS', '/api/scopes', { headers: { origin: ORIGIN } });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([405, null]);
  });

  it('has no answer outside of /api', async () => {
    for (const [path, status] of [
      ['/admin/health', 401],
      ['/internals/health', 401],
      ['/openapi.json', 405],
      ['/apis', 404],
    ] as const) {
      const asked = await preflight(path, ORIGIN);
      expect([path, asked.status, names(asked.headers)]).toEqual([path, status, []]);
    }
    const { status, headers } = await call('GET', '/admin/health', { key: admin, headers: { origin: ORIGIN } });
    expect([status, names(headers), headers.get('vary')]).toEqual([200, [], null]);
  });
});

it('without CORS_ORIGINS, nothing is said to pages', async () => {
  const closed = await startTestService();
  const answer = await closed.call('GET', '/api/health', { headers: { origin: ORIGIN } });
  expect([answer.status, names(answer.headers), answer.headers.get('vary')]).toEqual([200, [], null]);
  const asked = await closed.call('OPTIONS', '/api/scopes', {
    headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
  });
  expect([asked.status, names(asked.headers)]).toEqual([405, []]);
});
