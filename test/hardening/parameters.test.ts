/** Every route × a parameter that it does not know: it is refused by all of them in the same way, also by those that know none. */
import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { routesOf, send } from './isolation/ask.ts';
import { newParty, tracesOf } from './isolation/parties.ts';
import { EXPECTED, type Expectation } from './isolation/routes.ts';

const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const own = await newParty(service, 'mine');
// The probes and the documentation are there for everybody, whatever else is in the address.
const routes = routesOf(service.app.routes).filter(({ tier }) => tier !== 'open');
const before = await tracesOf(service.db, own.ids.tenantId);

it.each(routes)('$name', async (route) => {
  const expectation = EXPECTED[route.name] as Expectation;
  const ask = (more: string, method = route.method) => {
    const query = (ids: typeof own.ids) => [expectation.query?.(ids) ?? [], more].flat().join('&');
    const { key, ids } = own;
    return send(service, { ...route, method }, { ...expectation, query }, ids, ids.tenantId, service.internals, key);
  };
  const refused = await ask('nonsense=1');
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
    400,
    'validation_failed',
    [{ path: 'query/nonsense', message: 'is not a known property' }],
  ]);
  if (route.hasHead) expect((await ask('nonsense=1', 'HEAD')).status).toBe(400);
});

it('has changed nothing', async () => expect(await tracesOf(service.db, own.ids.tenantId)).toEqual(before));

it('is refused where another route knows it', async () => {
  const path = `/admin/scopes/${own.ids.scopeId}/summary?wait=1`;
  const { status, body } = await service.call('GET', path, { key: service.admin, tenantKey: own.key });
  expect([status, body.errors?.[0].path]).toEqual([400, 'query/wait']);
});

it('is passed over by the probes', async () => {
  for (const path of ['/livez?nonsense=1', '/readyz?nonsense=1'])
    expect((await service.call('GET', path)).status).toBe(200);
});
