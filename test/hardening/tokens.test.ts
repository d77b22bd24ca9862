/** Every route × a good token for streams, wherever it may be put: it opens the two streams as `?token=`, and nothing else. */
import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { routesOf, send } from './isolation/ask.ts';
import { newParty } from './isolation/parties.ts';
import { EXPECTED, type Expectation } from './isolation/routes.ts';

const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const own = await newParty(service, 'mine');
const { body } = await service.call('POST', '/api/stream-tokens', { tenantKey: own.key, body: {} });
const token = body.token as string;
const routes = routesOf(service.app.routes).filter(({ tier, wants }) => tier !== 'public' || wants !== 'nothing');
const streams = ['GET /api/events', 'GET /api/scopes/:scopeId/events'];

it.each(routes)('$name', async (route) => {
  const expectation = EXPECTED[route.name] as Expectation;
  const ask = (more: Partial<Expectation>, key?: string, tenantKey?: string) =>
    send(service, route, { ...expectation, ...more }, own.ids, own.ids.tenantId, key, tenantKey);
  const inQuery = { query: (ids: typeof own.ids) => `${expectation.query?.(ids) ?? ''}&token=${token}` };
  if (streams.includes(route.name)) {
    expect((await ask(inQuery)).status).toBe(200);
    expect((await ask(inQuery, undefined, own.key)).status).toBe(400);
    expect((await ask({}, undefined, token)).status).toBe(401);
    return;
  }
  // Who posts under the name of a tenant is let in without a key.
  const refused = route.wants === 'id' ? [202, 201, 400, 422] : [400, 401];
  expect(refused).toContain((await ask(inQuery)).status);
  if (route.wants !== 'nothing') expect((await ask({}, service.internals, token)).status).toBe(401);
  if (route.tier !== 'public') expect((await ask({}, token, own.key)).status).toBe(401);
});

it('knows the streams', () => {
  expect(routes.map(({ name }) => name)).toEqual(expect.arrayContaining(streams));
});
