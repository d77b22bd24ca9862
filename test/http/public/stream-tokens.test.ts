/** Tokens for pages: what they open, for how long, and that they open nothing else. */
import { describe, expect, it } from 'vitest';
import { MAX_TTL_S } from '../../../src/contract/stream-tokens.ts';
import { BY_COMMAND_LINE } from '../../../src/domain/audit.ts';
import { issueKey } from '../../../src/domain/keys.ts';
import { signToken } from '../../../src/domain/stream-token-format.ts';
import { type CallOptions, startTestService } from '../../support/service.ts';
import { openStream } from '../../support/stream.ts';
import { until } from '../../support/until.ts';

const service = await startTestService();
const { call, db, url } = service;
const tenant = await service.newTenant();
const other = await service.newTenant();
/** With its key: a tenant that has narrower ones does not post without. */
const post = async ({ tenantId, key }: typeof tenant, scope_id: string, more = {}) => {
  const body = { scope_id, name: 'n', text: 't', ...more };
  expect((await call('POST', '/api/ingest', { tenantId, tenantKey: key, body })).status).toBe(202);
};
for (const scope of ['one', 'two']) await post(tenant, scope);
await post(other, 'one');

const issue = (body: object | undefined = {}, tenantKey = tenant.key) =>
  call('POST', '/api/stream-tokens', { tenantKey, ...(body && { body }) });
const newToken = async (body: object = {}, key = tenant.key) => (await issue(body, key)).body.token as string;
const newKey = async (wishes: Partial<Parameters<typeof issueKey>[2]> = {}) => {
  const { key, record } = await issueKey(db, 'tenant', { tenantId: tenant.tenantId, ...wishes }, BY_COMMAND_LINE);
  return { key, prefix: record.key_prefix };
};
const ALL = '/api/events';
const ONE = '/api/scopes/one/events';
const TWO = '/api/scopes/two/events';
const follow = (path: string, token: string, headers: Record<string, string> = {}) =>
  openStream(url, `${path}${path.includes('?') ? '&' : '?'}token=${token}`, headers);
const statusOf = async (path: string, token: string, options: CallOptions = {}) =>
  (await call('GET', `${path}?token=${token}`, options)).status;

describe('201', () => {
  it('says the token, when it ends, and for what it is', async () => {
    const before = Date.now();
    const { status, body, headers } = await issue({ scope_id: 'one', ttl_s: 60 });
    expect([status, body]).toEqual([
      201,
      { token: expect.stringMatching(/^dt_\w{8}_\d+_one_/), expires_at: expect.any(String), scope_id: 'one' },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const ends = Date.parse(body.expires_at);
    expect(ends).toBeGreaterThanOrEqual(before + 59_000);
    expect(ends).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('is good for a quarter of an hour and for all scopes, unless told otherwise', async () => {
    for (const body of [{}, undefined]) {
      const before = Date.now();
      const answer = await issue(body);
      expect([answer.status, answer.body.scope_id]).toEqual([201, null]);
      expect(Date.parse(answer.body.expires_at)).toBeGreaterThanOrEqual(before + 899_000);
    }
  });

  it('opens both streams, on every replica', async () => {
    const token = await newToken();
    const node = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    const streams = [
      await follow(ALL, token),
      await follow(ONE, token),
      await openStream(node.url, `${ALL}?token=${token}`, {}),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await post(other, 'one');
    await post(tenant, 'one', { document_id: 'here' });
    for (const stream of streams) {
      expect((await stream.got(1)).map(({ data }) => data.payload.document_id)).toEqual(['here']);
      stream.close();
    }
  });

  it('for a scope opens that scope, and on the stream of all only that', async () => {
    const token = await newToken({ scope_id: 'one' });
    expect(await statusOf(ONE, token)).toBe(200);
    expect(await statusOf(TWO, token)).toBe(404);
    const stream = await follow(ALL, token);
    await post(tenant, 'two');
    await post(tenant, 'one');
    expect((await stream.got(1)).map(({ data }) => data.scope_id)).toEqual(['one']);
    stream.close();
  });

  it('of a key that is limited opens what the key does', async () => {
    const { key } = await newKey({ permissions: ['read'], scopeIds: ['two'] });
    const token = await newToken({}, key);
    expect([await statusOf(ONE, token), await statusOf(TWO, token)]).toEqual([404, 200]);
    const [stream, byKey] = [await follow(ALL, token), await openStream(url, ALL, { 'x-tenant-api-key': key })];
    for (const scope of ['one', 'two']) await post(tenant, scope);
    for (const each of [stream, byKey]) {
      expect((await each.got(1)).map(({ data }) => data.scope_id)).toEqual(['two']);
      each.close();
    }
  });
});

describe('a stream', () => {
  it('ends with its token, after it has said so and from where to go on', async () => {
    const { token } = signToken(tenant.key, 'one', Date.now() + 2000);
    const stream = await follow(ONE, token);
    await post(other, 'one');
    await stream.ended;
    const last = stream.events.at(-1);
    expect([last?.event, Object.keys(last?.data)]).toEqual(['expired', ['expired_at']]);
    await post(tenant, 'one', { document_id: 'afterwards' });
    const next = await follow(`${ONE}?last_event_id=${last?.id}`, await newToken({ scope_id: 'one' }));
    expect((await next.got(1)).map(({ data }) => data.payload.document_id)).toEqual(['afterwards']);
    next.close();
    expect(await statusOf(ONE, token)).toBe(401);
  });

  it('ends with the key that made its token, and those of other keys go on', async () => {
    const { key, prefix } = await newKey();
    const [token, staying] = [await newToken({}, key), await newToken()];
    const [cut, stays] = [await follow(ALL, token), await follow(ALL, staying)];
    // Straight into the database, as another replica would have it.
    await db.query('update api_keys set revoked_at = now() where key_prefix = $1', [prefix]);
    await until(
      () => cut.isEnded(),
      (ended) => ended,
    );
    expect(cut.events.map(({ event }) => event)).not.toContain('expired');
    expect(await statusOf(ALL, token)).toBe(401);
    expect(stays.isEnded()).toBe(false);
    stays.close();
  });

  it('counts among those of its tenant', async () => {
    const settings = { DATABASE_URL: service.databaseUrl, TENANT_STREAMS: '1' };
    const node = await startTestService({ settings });
    const open = async (key: string) => openStream(node.url, `${ALL}?token=${await newToken({}, key)}`, {});
    const [first, second, theirs] = [await open(tenant.key), await open(tenant.key), await open(other.key)];
    expect([first.status, second.status, theirs.status]).toEqual([200, 503, 200]);
  });
});

describe('400', () => {
  it.each([59, 3601, 0, -1, 1e9, 60.5, '900', null])('ttl_s of %j', async (ttl_s) =>
    expect((await issue({ ttl_s })).status).toBe(400),
  );
  it.each([{ scope_id: 'Not a scope' }, { scope_id: null }, { scopes: ['one'] }])('%j', async (body) =>
    expect((await issue(body)).status).toBe(400),
  );

  it('a token beside a key, even the right one', async () => {
    const answer = await call('GET', `${ALL}?token=${await newToken()}`, { tenantKey: tenant.key });
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'query/token']);
  });

  it('neither', async () => expect((await call('GET', ALL)).body.errors[0].path).toBe('headers/x-tenant-api-key'));
});

describe('401', () => {
  it('a token that was changed, has ended, is of another tenant than is named, or is none', async () => {
    const token = await newToken({ scope_id: 'one' });
    const parts = token.split('_');
    const changed = (at: number, part: string) => parts.map((old, n) => (n === at ? part : old)).join('_');
    const { key } = await newKey();
    for (const wrong of [
      changed(2, String(Number(parts[2]) + 60)),
      changed(3, 'two'),
      changed(3, ''),
      signToken(tenant.key, null, Date.now() - 1000).token,
      signToken(key, null, Date.now() + 60_000).token.replace(/^dt_\w{8}/, token.slice(0, 11)),
      '',
      'nonsense',
      tenant.key,
      'x'.repeat(5000),
    ]) {
      expect([wrong, await statusOf(ONE, wrong)]).toEqual([wrong, 401]);
    }
    expect(await statusOf(ONE, token, { tenantId: other.tenantId })).toBe(401);
    expect(await statusOf(ONE, token, { tenantId: tenant.tenantId })).toBe(200);
    expect(await statusOf(ONE, `${token}&token=${token}`)).toBe(401);
  });

  it('one that ends later than any we make, by whomever it was signed', async () => {
    const endingIn = (ms: number) => statusOf(ALL, signToken(tenant.key, null, Date.now() + ms).token);
    const longest = MAX_TTL_S * 1000;
    // Of a replica whose clock is a little ahead.
    expect([await endingIn(longest), await endingIn(longest + 30_000)]).toEqual([200, 200]);
    const century = 100 * 365 * 86_400_000;
    expect([await endingIn(2 * longest), await endingIn(century), await endingIn(1e13)]).toEqual([401, 401, 401]);
  });

  it('in place of a key', async () => {
    const token = await newToken();
    for (const [method, path] of [
      ['GET', ALL],
      ['GET', '/api/scopes'],
      ['POST', '/api/stream-tokens'],
    ] as const)
      expect((await call(method, path, { tenantKey: token })).status).toBe(401);
    expect((await call('GET', '/admin/health', { key: token })).status).toBe(401);
    const posted = { tenantId: tenant.tenantId, tenantKey: token, body: { scope_id: 'one', name: 'n', text: 't' } };
    expect((await call('POST', '/api/ingest', posted)).status).toBe(401);
  });

  it('no key makes a token but a good one', async () => {
    expect((await issue({}, 'dk_short')).status).toBe(401);
    expect((await issue({}, service.internals)).status).toBe(401);
  });
});

describe('403 and 404', () => {
  it('403: a key that may not read', async () => {
    const { key } = await newKey({ permissions: ['ingest', 'delete'] });
    expect((await issue({}, key)).body.detail).toContain('permission read');
    // Signed without asking, it is no better.
    const { token } = signToken(key, null, Date.now() + 60_000);
    expect(await statusOf(ALL, token)).toBe(403);
  });

  it('404: a scope of another tenant, none, or one that the key may not reach', async () => {
    await post(other, 'theirs');
    const { key } = await newKey({ permissions: ['read'], scopeIds: ['two'] });
    for (const [scope_id, tenantKey] of [
      ['theirs', tenant.key],
      ['nowhere', tenant.key],
      ['one', key],
    ] as const)
      expect((await issue({ scope_id }, tenantKey)).body.detail).toBe(`Scope ${scope_id} does not exist`);
    // Signed without asking, it reaches no further than its key.
    const { token } = signToken(key, 'one', Date.now() + 60_000);
    expect(await statusOf(ONE, token)).toBe(404);
    const stream = await follow(`${ALL}?last_event_id=0`, token);
    expect(stream.status).toBe(200);
    const own = await openStream(url, ONE, { 'x-tenant-api-key': tenant.key });
    await post(tenant, 'one');
    await own.got(1);
    expect(stream.events).toEqual([]);
    for (const each of [own, stream]) each.close();
  });
});

describe('429', () => {
  it('whoever makes or uses tokens in a loop is held back like who reads, and leaves nothing behind', async () => {
    const settings = { DATABASE_URL: service.databaseUrl, TENANT_READS_PER_S: '20', TENANT_STREAMS: '1000' };
    const strict = await startTestService({ settings });
    const token = await newToken({}, other.key);
    const ask = (n: number) =>
      n % 2
        ? strict.call('POST', '/api/stream-tokens', { tenantKey: other.key, body: {} })
        : strict.call('GET', `${ALL}?token=${token}`);
    const statuses = (await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 201, 429]));
    expect((await strict.call('GET', '/api/scopes', { tenantKey: tenant.key })).status).toBe(200);
  });
});
