/** Every route that takes a tenant's key × every permission, and × keys that are limited to some scopes. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/contract/keys.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { routesOf } from './isolation/ask.ts';
import { examinePermissions, examineScopes } from './isolation/permitted.ts';
import { EXPECTED, type Expectation } from './isolation/routes.ts';

const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const all = routesOf(service.app.routes);
const routes = all.filter(({ permission }) => permission !== null);

it('looks at every route that takes the key of a tenant, and at every permission', () => {
  expect(all.filter(({ wants, permission }) => (wants === 'nothing') !== (permission === null))).toEqual([]);
  expect(new Set(routes.map(({ permission }) => permission))).toEqual(new Set(permissions));
  expect(routes.length).toBeGreaterThan(35);
});

describe.concurrent.each(routes)('$name', (route) => {
  const expectation = EXPECTED[route.name] as Expectation;

  it('asks for one permission, by name', async () =>
    expect(await examinePermissions(service, route, expectation)).toEqual([]));
  it('lets a key reach the scopes of its list, and shows nothing of the others', async () =>
    expect(await examineScopes(service, route, expectation)).toEqual([]));
});

describe('the examination', () => {
  const named = (name: string) => all.find((route) => route.name === name) as (typeof all)[number];
  /** The service, but for its answers. */
  const planted = (change: (status: number, path: string) => object): TestService => ({
    ...service,
    async call(method, path, options) {
      const answer = await service.call(method, path, options);
      return { ...answer, ...change(answer.status, path) };
    },
  });
  const summary = named('GET /api/scopes/:scopeId/summary');
  const expectation = EXPECTED[summary.name] as Expectation;
  const found = async (examine: typeof examineScopes, change: Parameters<typeof planted>[0]) =>
    (await examine(planted(change), summary, expectation)).join('\n');

  it('sees a permission that is not asked for', async () =>
    expect(await found(examinePermissions, (status) => (status === 403 ? { status: 200 } : {}))).toContain(
      'with ingest,delete,decide: 200',
    ));
  it('sees one that is asked for by another name', async () =>
    expect(await found(examinePermissions, (status) => (status === 403 ? { body: { detail: 'no' } } : {}))).toContain(
      '403 no',
    ));
  it('sees a scope that should not be there', async () =>
    expect(await found(examineScopes, (status) => (status === 404 ? { status: 200 } : {}))).toContain(
      'another scope: 200 instead of 404',
    ));
  it('sees another word for what is there and not to be seen', async () => {
    let asked = 0;
    const change = (status: number) => (status === 404 ? { body: { detail: `no ${asked++}` } } : {});
    expect(await found(examineScopes, change)).toContain('differ');
  });
});
