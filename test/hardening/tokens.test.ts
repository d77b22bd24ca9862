/** Every route × a good token for streams, wherever it may be put: it opens the two streams as `?token=`, and nothing else. */
import { expect, it } from 'vitest';
import { asksOperators } from '../../src/http/tiers.ts';
import { startTestService } from '../support/service.ts';
import { routesOf, send } from './isolation/ask.ts';
import { newParty, tracesOf } from './isolation/parties.ts';
import { EXPECTED, type Expectation } from './isolation/routes.ts';

const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const own = await newParty(service, 'mine');
const { body } = await service.call('POST', '/api/stream-tokens', { tenantKey: own.key, body: {} });
const token = body.token as string;
// The probes and the documentation are there for everybody, whatever else is in the address.
const routes = routesOf(service.app.routes).filter(({ tier }) => tier !== 'open');
const streams = ['GET /api/events', 'GET /api/scopes/:scopeId/events'];
const before = await tracesOf(service.db, own.ids.tenantId);

it.each(routes)('$name', async (route) => {
  const expectation = EXPECTED[route.name] as Expectation;
  const ask = (more: Partial<Expectation>, key?: string, tenantKey?: string, method = route.method) =>
    send(service, { ...route, method }, { ...expectation, ...more }, own.ids, own.ids.tenantId, key, tenantKey);
  const inQuery = (name = 'token') => ({
    query: (ids: typeof own.ids) => `${expectation.query?.(ids) ?? ''}&${name}=${token}`,
  });
  if (route.wants !== 'nothing') expect((await ask({}, service.internals, token)).status).toBe(401);
  if (asksOperators(route.tier)) expect((await ask({}, token, own.key)).status).toBe(401);
  // Beside good keys, too.
  const beside = await ask(inQuery(), service.internals, own.key);
  expect([beside.status, beside.body.errors?.[0].path]).toEqual([400, 'query/token']);
  const alone = await ask(inQuery());
  if (streams.includes(route.name)) {
    expect(alone.status).toBe(200);
    return;
  }
  expect([alone.status, alone.body.detail]).toEqual([400, expect.stringContaining('GET /api/events')]);
  expect((await ask(inQuery('%74oken'), service.internals, own.key)).status).toBe(400);
  if (route.hasHead) expect((await ask(inQuery(), service.internals, own.key, 'HEAD')).status).toBe(400);
});

it('has changed nothing', async () => expect(await tracesOf(service.db, own.ids.tenantId)).toEqual(before));

it('knows the streams', () => {
  expect(routes.map(({ name }) => name)).toEqual(expect.arrayContaining(streams));
});

it('takes nothing for a token that only looks like one', async () => {
  const ask = async (query: string) => (await service.call('GET', `/api/health?${query}`)).body.errors?.[0].path;
  expect([await ask('tokens=1'), await ask('a=token'), await ask('token='), await ask('token')]).toEqual([
    ...['query/tokens', 'query/a', 'query/token', 'query/token'],
  ]);
});
