/** Every route × pages of an allowed origin, of another and of none: who may read an answer depends on nothing else, and nothing on who may. */
import { describe, expect, it } from 'vitest';
import { asksOperators } from '../../src/http/tiers.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { routesOf, send } from './isolation/ask.ts';
import { allowed } from './isolation/examine.ts';
import { newParty } from './isolation/parties.ts';
import { EXPECTED, type Expectation } from './isolation/routes.ts';

const ALLOWED = 'https://app.example.com';
const ORIGINS = [ALLOWED, 'https://evil.example', undefined];
const service = await startTestService({ settings: { LANE_LEASE_MS: '600000', CORS_ORIGINS: ALLOWED } });
const routes = routesOf(service.app.routes);
const addresses = [...new Set(service.app.routes.map(({ url }) => url))];

const headersOf = (origin: string | undefined) => (origin === undefined ? {} : { origin });

/** The service, asked by a page of this origin. */
const from = (origin: string | undefined): TestService => ({
  ...service,
  call: (method, path, options = {}) =>
    service.call(method, path, { ...options, headers: { ...options.headers, ...headersOf(origin) } }),
});

/** What an answer tells a browser of who may read it. */
const readers = ({ headers }: { headers: Headers }) =>
  ['origin', 'credentials'].map((what) => headers.get(`access-control-allow-${what}`));
const expectedReaders = (url: string, origin: string | undefined) => [
  origin === ALLOWED && url.startsWith('/api/') ? ALLOWED : null,
  null,
];

describe.concurrent.each(routes)('$name', (route) => {
  const expectation = EXPECTED[route.name] as Expectation;

  it.each(ORIGINS)('asked from %s', async (origin) => {
    // Anew for each: some of them end what they are asked about.
    const { ids, key } = await newParty(service, 'mine');
    const ask = (bearer?: string, tenantKey?: string) =>
      send(from(origin), route, expectation, ids, ids.tenantId, bearer, tenantKey);
    const refused = await ask('garbage', 'garbage');
    const isOpen = route.wants === 'nothing' && !asksOperators(route.tier);
    expect(refused.status).toBe(isOpen ? expectation.status : 401);
    expect(readers(refused)).toEqual(expectedReaders(route.url, origin));
    const answer = await ask(service.internals, key);
    expect(answer.status).toBe(allowed(route, expectation, 'tenant', 'own'));
    expect(readers(answer)).toEqual(expectedReaders(route.url, origin));
  });
});

it.each(ORIGINS)('a browser that asks beforehand for %s is told the same, at every address', async (origin) => {
  const headers = { ...headersOf(origin), 'access-control-request-method': 'GET' };
  for (const url of addresses) {
    const answer = await service.call('OPTIONS', url.replaceAll(/:(\w+)/g, '$1'), { headers });
    const expected = expectedReaders(url, origin);
    expect([url, answer.status === 204, ...readers(answer)]).toEqual([url, expected[0] !== null, ...expected]);
  }
});

it('looks at every tier, and at what belongs to none', () => {
  for (const prefix of ['/api/', '/admin/', '/internals/', '/livez', '/docs'])
    expect(addresses.some((url) => url.startsWith(prefix))).toBe(true);
  expect(routes.length).toBeGreaterThan(50);
});
