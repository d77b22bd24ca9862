/** The three streams on real sockets: what they send, to whom, from where on, and when they end. */
import { EventSource } from 'eventsource';
import { describe, expect, it } from 'vitest';
import { withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';

const service = withVerbs(await startTestService({ settings: { TENANT_STREAMS: '5' } }));
const { call, admin, internals, url, db } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();

const KERNEL = '/internals/kernel/events';
const kernel = (query = '', headers = {}) =>
  openStream(url, `${KERNEL}${query}`, { authorization: `Bearer ${internals}`, ...headers });
const ofScope = (scopeId: string, query = '', headers = {}, key = tenant.key) =>
  openStream(url, `/admin/scopes/${scopeId}/events${query}`, {
    authorization: `Bearer ${admin}`,
    'x-tenant-api-key': key,
    ...headers,
  });
const newestId = async () => {
  const { rows } = await db.query<{ id: string }>('select coalesce(max(event_id), 0) as id from events');
  return rows[0]?.id as string;
};

describe('a stream', () => {
  it('begins at once, says when to come back, and is not held up by proxies', async () => {
    const stream = await kernel();
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatch(/content-type: text\/event-stream/i);
    expect(stream.headers).toMatch(/x-accel-buffering: no/i);
    expect(stream.headers).toMatch(/cache-control: no-store/i);
    expect(stream.headers).toMatch(/x-request-id: /i);
    await until(
      () => stream.notes.length,
      (n) => n > 0,
    );
    expect(stream.notes[0]).toMatch(/^retry: \d+\n: /);
    // Cut off before its first event, it would go on from here.
    await until(
      () => stream.notes[1],
      (note) => note?.startsWith(`id: `) ?? false,
    );
    stream.close();
  });

  it('sends what happens from now on, with id, type and the whole envelope', async () => {
    const stream = await kernel('?types=document.queued');
    await service.ingest(tenant, 'live', 'ok', { document_id: 'a' });
    const [first] = await stream.got(1);
    expect(first).toEqual({
      id: await newestId(),
      event: 'document.queued',
      data: {
        id: await newestId(),
        type: 'document.queued',
        ts: expect.stringMatching(/^\d{4}-.*Z$/),
        tenant_id: tenant.tenantId,
        scope_id: 'live',
        payload: { document_id: 'a', version: 1, seq: 0 },
      },
    });
    stream.close();
  });

  it('of a scope has the events of that scope only, also where another tenant has one of the same name', async () => {
    await service.ingest(tenant, 'mine', 'ok');
    await service.ingest(other, 'mine', 'ok');
    const stream = await ofScope('mine');
    await service.ingest(other, 'mine', 'theirs');
    await service.ingest(tenant, 'elsewhere', 'ok');
    await service.ingest(tenant, 'mine', 'ok', { document_id: 'here' });
    expect((await stream.got(1)).map(({ data }) => [data.tenant_id, data.payload.document_id])).toEqual([
      [tenant.tenantId, 'here'],
    ]);
    stream.close();
  });

  it('sends only the types that are asked for', async () => {
    const stream = await kernel('?types=scope.*,document.deleted');
    await service.ingest(tenant, 'typed', 'ok', { document_id: 'a' });
    await call('DELETE', '/api/documents/a?scope_id=typed', { tenantKey: tenant.key });
    expect((await stream.got(2)).map(({ event }) => event)).toEqual(['scope.created', 'document.deleted']);
    stream.close();
  });

  it('resumes after an id, by header or in the address, with nothing lost or repeated', async () => {
    await service.ingest(tenant, 'resumed', 'first', { document_id: 'd0' });
    const from = await newestId();
    for (let n = 1; n <= 5; n++) await service.ingest(tenant, 'resumed', 'ok', { document_id: `d${n}` });
    for (const stream of [
      await ofScope('resumed', '', { 'last-event-id': from }),
      await ofScope('resumed', `?last_event_id=${from}`),
    ]) {
      const events = await stream.got(5);
      expect(events.map(({ data }) => data.payload.document_id)).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
      stream.close();
    }
  });

  it('begins with the oldest that is kept when asked for 0', async () => {
    await service.ingest(tenant, 'from-zero', 'ok', { document_id: 'a' });
    const stream = await ofScope('from-zero', '?last_event_id=0');
    expect((await stream.got(2)).map(({ event }) => event)).toEqual(['scope.created', 'document.queued']);
    stream.close();
  });

  it('is read by an ordinary client, which reconnects by itself', async () => {
    const got: string[] = [];
    const source = new EventSource(`${url}${KERNEL}?types=document.queued`, {
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${internals}` } }),
    });
    later(() => source.close());
    source.addEventListener('document.queued', ({ data }) => {
      got.push(JSON.parse(data).payload.document_id);
    });
    await until(
      () => source.readyState,
      (state) => state === EventSource.OPEN,
    );
    await service.ingest(tenant, 'client', 'ok', { document_id: 'one' });
    await until(
      () => got,
      (ids) => ids.includes('one'),
    );
    source.close();
  });
});

describe('what is refused', () => {
  it.each(['abc', '-1', '1.5', '', '1e3', '9999999999999999'])('400: the id %j', async (id) => {
    for (const stream of [await kernel('', { 'last-event-id': id }), await kernel(`?last_event_id=${id}`)]) {
      expect([stream.status, stream.body()]).toEqual([400, expect.stringContaining('validation_failed')]);
      stream.close();
    }
  });

  it('400: an id that no event has had yet', async () => {
    const stream = await kernel('', { 'last-event-id': '900000000000000' });
    expect([stream.status, stream.body()]).toEqual([400, expect.stringContaining('newer than any event')]);
  });

  it('400: a type that there is not', async () => {
    const stream = await kernel('?types=document.processed,nonsense');
    expect([stream.status, stream.body()]).toEqual([400, expect.stringContaining('nonsense')]);
  });

  it('404: a scope of another tenant, as one that does not exist', async () => {
    await service.ingest(tenant, 'private', 'ok');
    expect((await ofScope('private', '', {}, other.key)).status).toBe(404);
    expect((await ofScope('nowhere')).status).toBe(404);
  });

  it('503 with Retry-After: more streams than a tenant may have open, and one less is one more', async () => {
    const guest = await service.newTenant();
    await service.ingest(guest, 'crowded', 'ok');
    const open = () => ofScope('crowded', '', {}, guest.key);
    const streams = [];
    for (let n = 0; n < 5; n++) streams.push(await open());
    expect(streams.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const refused = await open();
    expect([refused.status, refused.headers, refused.body()]).toEqual([
      503,
      expect.stringMatching(/retry-after: \d+/i),
      expect.stringContaining('close one'),
    ]);
    streams[0]?.close();
    await until(
      async () => {
        const stream = await open();
        return stream.status;
      },
      (status) => status === 200,
    );
  });
});

describe('the deprecated alias', () => {
  it('is the same stream, and says what to use', async () => {
    const stream = await openStream(url, '/internals/events', { authorization: `Bearer ${internals}` });
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatch(/deprecation: @\d+/i);
    expect(stream.headers).toMatch(/link: <\/internals\/kernel\/events>; rel="successor-version"/i);
    await service.ingest(tenant, 'alias', 'ok');
    expect((await stream.got(2)).map(({ event }) => event)).toEqual(['scope.created', 'document.queued']);
    stream.close();
  });
});

describe('a key that is revoked', () => {
  it('ends its streams, and no others', async () => {
    const { body } = await call('POST', `/admin/tenants/${tenant.tenantId}/keys`, { key: admin, body: {} });
    await service.ingest(tenant, 'revoked', 'ok');
    const cut = await ofScope('revoked', '', {}, body.api_key);
    const stays = await ofScope('revoked');
    const unasked = await kernel('?types=document.queued', { 'x-tenant-api-key': 'nonsense' });
    const spaced = await ofScope('revoked', '', { authorization: `bearer   ${admin}` });
    // Straight into the database, as another replica would have it.
    await db.query('update api_keys set revoked_at = now() where key_prefix = $1', [body.key_prefix]);
    await until(
      () => cut.isEnded(),
      (ended) => ended,
    );
    await service.ingest(tenant, 'revoked', 'ok');
    // The scheme and the key may be any number of spaces apart, and a header that nobody asked for is none of ours, also
    // when keys are checked again.
    for (const stream of [stays, spaced, unasked]) {
      expect(stream.isEnded()).toBe(false);
      await stream.got(1);
      stream.close();
    }
  });
});
