/** Every route × every level of key × ids of one's own, of another tenant and of nobody. */
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/domain/paging.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { routesOf, send } from './isolation/ask.ts';
import { examine, setScene } from './isolation/examine.ts';
import { MARK, newParty, tracesOf } from './isolation/parties.ts';
import { EXPECTED, type Expectation, unaccounted } from './isolation/routes.ts';

// Nobody works here, and however long it takes, that is not to be taken for a stall.
const service = await startTestService({ settings: { LANE_LEASE_MS: '600000' } });
const { call, admin, internals, db, url } = service;
const scene = await setScene(service);
const { victim } = scene;
const routes = routesOf(service.app.routes);
const before = await tracesOf(db, victim.ids.tenantId);

it('has an expectation for every route, and a route for every expectation', () => {
  expect(unaccounted(routes.map(({ name }) => name))).toEqual([]);
  expect(routes.length).toBeGreaterThan(50);
  expect(unaccounted(['GET /admin/new'], {})).toEqual(['GET /admin/new']);
  expect(unaccounted([], { 'GET /admin/gone': { reach: 'nothing', status: 200 } })).toEqual(['GET /admin/gone']);
});

describe.concurrent.each(routes)('$name', (route) => {
  it('lets in whom it should, and shows nobody what is another’s', async () => {
    expect(await examine(scene, route, EXPECTED[route.name] as Expectation)).toEqual([]);
  });
});

it('left the other tenant as it was', async () => {
  expect(await tracesOf(db, victim.ids.tenantId)).toEqual(before);
});

describe('two tenants', () => {
  it('have documents, scopes and idempotency keys of the same names, and each its own', async () => {
    const [one, two] = [await newParty(service, 'one'), await newParty(service, 'two')];
    const body = { scope_id: 'shared', name: 'n', document_id: 'same', idempotency_key: 'once' };
    for (const { ids, key } of [one, two]) {
      const post = { tenantId: ids.tenantId, body: { ...body, text: ids.tenantId, source: ids.tenantId } };
      const first = await call('POST', '/api/ingest', post);
      expect([first.status, first.body.seq, first.headers.get('idempotency-replayed')]).toEqual([202, 0, null]);
      expect((await call('POST', '/api/ingest', post)).headers.get('idempotency-replayed')).toBe('true');
      const inHeader = { ...post, headers: { 'idempotency-key': 'once' } };
      expect((await call('POST', '/api/ingest', inHeader)).headers.get('idempotency-replayed')).toBe('true');
      const read = await call('GET', '/api/documents/same?scope_id=shared', { tenantKey: key });
      expect(read.body).toMatchObject({ source: ids.tenantId, version: 1, seq: 0 });
    }
    await call('DELETE', '/api/documents/same?scope_id=shared', { tenantKey: one.key });
    expect((await call('GET', '/api/documents/same?scope_id=shared', { tenantKey: two.key })).status).toBe(200);
    await call('POST', '/admin/scopes/shared/reset', { key: admin, tenantKey: one.key });
    expect((await call('GET', '/api/documents/same?scope_id=shared', { tenantKey: two.key })).status).toBe(200);
  });

  it('do not read on in each other’s lists with each other’s cursors', async () => {
    const own = await newParty(service, 'mine');
    for (const [path, list, name] of [
      [`/admin/scopes/SCOPE/documents?limit=1`, 'documents', 'documents'],
      [`/admin/scopes/SCOPE/contradictions?limit=1`, 'contradictions', 'contradictions'],
      [`/admin/scopes?limit=1`, 'scopes', 'scopes'],
      [`/api/contradictions?scope_id=SCOPE&limit=1`, 'contradictions', 'contradictions'],
      [
        `/api/contradictions?scope_id=SCOPE&limit=1&order=newest&document_id=${victim.ids.documentId}`,
        'contradictions',
        'contradictions',
      ],
      [`/api/scopes?limit=1`, 'scopes', 'scopes'],
      [`/api/scopes/SCOPE/documents?limit=1`, 'documents', 'documents'],
      [`/api/scopes/SCOPE/facts?min_documents=1&limit=1`, 'facts', 'facts by documents'],
      [`/api/scopes/SCOPE/facts?min_documents=1&order=fact_id&limit=1`, 'facts', 'facts by id'],
    ] as const) {
      for (const place of ['0', '-1', '1', `2${'0'.repeat(16)}`, 'a', victim.ids.scopeId]) {
        const cursor = encodeCursor(name, place);
        const address = `${path.replace('SCOPE', own.ids.scopeId)}&cursor=${cursor}`;
        const { status, body } = await call('GET', address, { key: internals, tenantKey: own.key });
        expect([200, 400]).toContain(status);
        expect(JSON.stringify(body)).not.toMatch(new RegExp(`${MARK}|${victim.ids.tenantId}`));
        if (status === 200) expect(body[list].length).toBeLessThanOrEqual(1);
      }
    }
  });

  it('hear nothing of each other when they resume from each other’s events, in scopes of one name', async () => {
    const [own, theirs] = [await newParty(service, 'mine'), await newParty(service, MARK)];
    const post = (tenantId: string, document_id: string) =>
      call('POST', '/api/ingest', { tenantId, body: { scope_id: 'heard', name: 'n', text: 't', document_id } });
    await post(own.ids.tenantId, 'own-1');
    await post(theirs.ids.tenantId, 'theirs-1');
    const { rows } = await db.query<{ event_id: string }>(
      'select event_id from events where tenant_id = $1 order by event_id',
      [theirs.ids.tenantId],
    );
    await post(theirs.ids.tenantId, 'theirs-2');
    for (const id of ['0', ...rows.map(({ event_id }) => event_id)]) {
      const headers = { authorization: `Bearer ${admin}`, 'x-tenant-api-key': own.key, 'last-event-id': id };
      const paths = ['/admin/scopes/heard/events', '/api/scopes/heard/events', '/api/events'];
      const streams = await Promise.all(paths.map((path) => openStream(url, path, headers)));
      await post(theirs.ids.tenantId, `theirs-after-${id}`);
      await post(own.ids.tenantId, `own-after-${id}`);
      for (const stream of streams) {
        // Events come in the order in which they happened: with this one, all before it would have come.
        await until(
          () => stream.events.map(({ data }) => data.payload.document_id),
          (heard) => heard.includes(`own-after-${id}`),
        );
        expect(JSON.stringify(stream.events)).not.toMatch(new RegExp(`${MARK}|theirs-|${theirs.ids.tenantId}`));
        stream.close();
      }
      const [ofOperators] = streams;
      expect(new Set(ofOperators?.events.map(({ data }) => data.tenant_id))).toEqual(new Set([own.ids.tenantId]));
    }
  });
});

describe('posting for a tenant', () => {
  it('needs its own key where keys are required, and never goes with another’s, whether there is such a tenant or not', async () => {
    const settings = { REQUIRE_TENANT_KEY: 'true', DATABASE_URL: service.databaseUrl };
    const strict = await startTestService({ settings });
    const guest = await newParty(service, 'mine');
    for (const route of routes.filter(({ wants }) => wants === 'id')) {
      const post = (asked: TestService, tenantId: string, tenantKey?: string) =>
        send(asked, route, EXPECTED[route.name] as Expectation, guest.ids, tenantId, undefined, tenantKey);
      for (const [asked, key, status] of [
        [strict, undefined, 400],
        [strict, guest.key, 401],
        [service, guest.key, 401],
      ] as const) {
        const [foreign, absent] = [await post(asked, victim.ids.tenantId, key), await post(asked, 'ten_nobody', key)];
        expect([foreign.status, foreign.body]).toEqual([status, absent.body]);
      }
      const own = await post(strict, guest.ids.tenantId, guest.key);
      expect([201, 202, 422]).toContain(own.body.code === 'batch_rejected' ? own.body.results[0].status : own.status);
    }
    expect(await tracesOf(db, victim.ids.tenantId)).toEqual(before);
  });
});

describe('the examination', () => {
  const summary = routes.find(({ name }) => name === 'GET /api/scopes/:scopeId/summary') as (typeof routes)[number];
  /** The service, but for the answers to this route. */
  const planted = (change: (path: string, status: number) => object): TestService => ({
    ...service,
    async call(method, path, options) {
      const answer = await call(method, path, options);
      return method === 'GET' && path.startsWith('/api/scopes/')
        ? { ...answer, ...change(path, answer.status) }
        : answer;
    },
  });
  const found = async (change: Parameters<typeof planted>[0]) =>
    (await examine({ ...scene, service: planted(change) }, summary, EXPECTED[summary.name] as Expectation)).join('\n');

  it('finds nothing where nothing is', async () => expect(await found(() => ({}))).toBe(''));
  it('sees a 200 that should not be', async () =>
    expect(await found((_path, status) => (status === 401 ? { status: 200 } : {}))).toContain('200 instead of 401'));
  it('sees another status for what is another’s', async () =>
    expect(await found((path) => (path.includes(victim.ids.scopeId) ? { status: 403 } : {}))).toContain('403 instead'));
  it('sees another word for what is another’s', async () =>
    expect(
      await found((path) => (path.includes(victim.ids.scopeId) ? { body: { detail: 'not yours' } } : {})),
    ).toContain('foreign and absent differ'));
  it('sees another header for what is another’s', async () =>
    expect(
      await found((path) => (path.includes(victim.ids.scopeId) ? { headers: new Headers({ 'x-owner': 'b' }) } : {})),
    ).toContain('foreign and absent differ'));
  it('sees what is another’s in an answer', async () =>
    expect(await found(() => ({ body: { name: MARK } }))).toContain("has what is another tenant's"));
});
