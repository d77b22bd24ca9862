/** The streams of tenants on real sockets: their own events and nobody else's, from where they left, with their own key alone. */
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../../support/kernel.ts';
import { startTestService } from '../../support/service.ts';
import { openStream } from '../../support/stream.ts';
import { until } from '../../support/until.ts';

const service = withVerbs(await startTestService({ settings: { TENANT_STREAMS: '5' } }));
const { call, admin, internals, url, db } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();

const follow = (path = '', headers: Record<string, string> = {}, key = tenant.key) =>
  openStream(url, `/api${path.startsWith('/') ? path : `/events${path}`}`, { 'x-tenant-api-key': key, ...headers });
const inScope = (scopeId: string, query = '') => `/scopes/${scopeId}/events${query}`;
const newestId = async () => {
  const { rows } = await db.query<{ id: string }>('select coalesce(max(event_id), 0) as id from events');
  return rows[0]?.id as string;
};

describe('200', () => {
  it('sends what happens in all scopes, or in one, without whose it is', async () => {
    await service.ingest(tenant, 'one', 'ok');
    const [all, one] = [await follow(), await follow(inScope('one'))];
    expect(all.headers).toMatch(/content-type: text\/event-stream/i);
    await service.ingest(other, 'one', 'theirs');
    await service.ingest(tenant, 'two', 'ok', { document_id: 'second' });
    await service.ingest(tenant, 'one', 'ok', { document_id: 'first' });
    expect((await all.got(3)).map(({ event, data }) => [event, data.scope_id, data.payload.document_id])).toEqual([
      ['scope.created', 'two', undefined],
      ['document.queued', 'two', 'second'],
      ['document.queued', 'one', 'first'],
    ]);
    expect(await one.got(1)).toEqual([
      {
        id: await newestId(),
        event: 'document.queued',
        data: {
          id: await newestId(),
          type: 'document.queued',
          ts: expect.stringMatching(/^\d{4}-.*Z$/),
          scope_id: 'one',
          payload: { document_id: 'first', version: 1, seq: 1 },
        },
      },
    ]);
    for (const stream of [all, one]) stream.close();
  });

  it('tells nothing of operators, keys and nodes, now or when it is read back', async () => {
    const from = await newestId();
    const live = await follow();
    await service.ingest(tenant, 'quiet', 'ok');
    await call('POST', '/admin/runtime/pause', { key: admin, tenantKey: tenant.key, body: { scope_id: 'quiet' } });
    await call('POST', '/admin/runtime/pause', { key: admin, tenantKey: tenant.key, body: {} });
    await call('POST', '/admin/runtime/start', { key: admin, tenantKey: tenant.key, body: {} });
    await call('POST', `/admin/tenants/${tenant.tenantId}/keys`, { key: admin, body: {} });
    await service.ingest(tenant, 'quiet', 'ok', { document_id: 'last' });
    // A node that starts now has to read it from the log.
    const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    const headers = { 'x-tenant-api-key': tenant.key, 'last-event-id': from };
    const streams = [
      live,
      await follow('', { 'last-event-id': from }),
      await openStream(node.url, '/api/events', headers),
      await openStream(node.url, '/api/scopes/quiet/events', headers),
    ];
    for (const stream of streams) {
      await until(
        () => stream.events.at(-1)?.data.payload.document_id,
        (id) => id === 'last',
      );
      expect(stream.events.map(({ event }) => event)).toEqual(['scope.created', 'document.queued', 'document.queued']);
      expect(stream.events.every(({ data }) => !('tenant_id' in data))).toBe(true);
      stream.close();
    }
  });

  it('resumes from the log, on another node, over all scopes, with nothing lost, repeated or of others', async () => {
    const from = await newestId();
    for (let n = 0; n < 6; n++) {
      await service.ingest(other, 'mixed', 'ok', { document_id: `theirs-${n}` });
      await service.ingest(tenant, `mixed-${n % 2}`, 'ok', { document_id: `d${n}` });
    }
    const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    for (const [path, headers] of [
      ['/api/events?types=document.*', { 'last-event-id': from }],
      [`/api/events?types=document.*&last_event_id=${from}`, {}],
    ] as const) {
      const stream = await openStream(node.url, path, { 'x-tenant-api-key': tenant.key, ...headers });
      const events = await stream.got(6);
      expect(events.map(({ data }) => data.payload.document_id)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', 'd5']);
      stream.close();
    }
  });

  it('goes on from an id of the other stream, and tells of a gap', async () => {
    const guest = await service.newTenant();
    await service.ingest(guest, 'kept', 'ok', { document_id: 'gone' });
    const gone = await newestId();
    await service.ingest(guest, 'kept', 'ok', { document_id: 'kept' });
    await db.query(
      `with gone as (delete from events where event_id <= $1 returning event_id)
      update event_log set trimmed_up_to = (select max(event_id) from gone)`,
      [gone],
    );
    const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    const stream = await openStream(node.url, '/api/events', { 'x-tenant-api-key': guest.key, 'last-event-id': '1' });
    expect((await stream.got(2)).map(({ event, data }) => [event, data.payload?.document_id])).toEqual([
      ['gap', undefined],
      ['document.queued', 'kept'],
    ]);
    const { id } = stream.events[0] as { id: string };
    const one = await follow(inScope('kept'), { 'last-event-id': id }, guest.key);
    expect((await one.got(1))[0]?.data.payload.document_id).toBe('kept');
  });

  it('sends only the types that are asked for', async () => {
    const stream = await follow('?types=document.deleted,scope.*');
    await service.ingest(tenant, 'typed', 'ok', { document_id: 'a' });
    await call('DELETE', '/api/documents/a?scope_id=typed', { tenantKey: tenant.key });
    expect((await stream.got(2)).map(({ event }) => event)).toEqual(['scope.created', 'document.deleted']);
    stream.close();
  });
});

describe('400', () => {
  it.each(['key.issued', 'runtime.*', 'worker.crashed', 'tenant.*', 'nonsense'])('a type %s', async (type) => {
    const stream = await follow(`?types=${type}`);
    expect([stream.status, stream.body()]).toEqual([400, expect.stringContaining('must name types of events')]);
  });

  it('no key, though there is the one of an operator', async () => {
    for (const path of ['/api/events', '/api/scopes/one/events'])
      expect((await call('GET', path, { key: internals })).status).toBe(400);
  });

  it('an id that no event has had yet', async () => {
    expect((await follow('?last_event_id=900000000000000')).status).toBe(400);
  });
});

describe('401', () => {
  it('a key that is none, and one of another tenant than is named', async () => {
    for (const path of ['/api/events', '/api/scopes/one/events']) {
      expect((await call('GET', path, { tenantKey: 'dk_short' })).status).toBe(401);
      expect((await call('GET', path, { tenantKey: internals })).status).toBe(401);
      expect((await call('GET', path, { tenantKey: other.key, tenantId: tenant.tenantId })).status).toBe(401);
    }
  });

  it('a key that is revoked ends its streams, and no others', async () => {
    const { body } = await call('POST', `/admin/tenants/${tenant.tenantId}/keys`, { key: admin, body: {} });
    const [cut, stays] = [await follow('', {}, body.api_key), await follow('?types=document.*')];
    await db.query('update api_keys set revoked_at = now() where key_prefix = $1', [body.key_prefix]);
    await until(
      () => cut.isEnded(),
      (ended) => ended,
    );
    await service.ingest(tenant, 'stays', 'ok');
    await stays.got(1);
    stays.close();
  });
});

describe('404', () => {
  it('a scope of another tenant, as one that does not exist', async () => {
    await service.ingest(tenant, 'private', 'ok');
    for (const [scopeId, key] of [
      ['private', other.key],
      ['nowhere', tenant.key],
    ] as const) {
      const stream = await follow(inScope(scopeId), {}, key);
      expect([stream.status, stream.body()]).toEqual([404, expect.stringContaining(`Scope ${scopeId} does not exist`)]);
    }
  });
});

describe('429 and 503', () => {
  it('who opens streams in a loop is held back like who reads', async () => {
    const strict = await startTestService({
      settings: { DATABASE_URL: service.databaseUrl, TENANT_READS_PER_S: '1', TENANT_STREAMS: '100' },
    });
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => openStream(strict.url, '/api/events', { 'x-tenant-api-key': other.key })),
    );
    const statuses = opened.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    // Those that are open hold nobody's turn.
    const { status } = await strict.call('GET', '/api/scopes', { tenantKey: tenant.key });
    expect(status).toBe(200);
  });

  it('one tenant has its number of streams, of either kind, and others have theirs', async () => {
    const guest = await service.newTenant();
    await service.ingest(guest, 'crowded', 'ok');
    const streams = [];
    for (let n = 0; n < 5; n++) streams.push(await follow(n % 2 ? inScope('crowded') : '', {}, guest.key));
    expect(streams.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const refused = await follow('', {}, guest.key);
    expect([refused.status, refused.headers]).toEqual([503, expect.stringMatching(/retry-after: \d+/i)]);
    expect((await follow()).status).toBe(200);
    streams[0]?.close();
    await until(
      async () => (await follow('', {}, guest.key)).status,
      (status) => status === 200,
    );
  });
});
