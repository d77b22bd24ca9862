/** npm run tail, as a process beside a real service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { follow } from '../../src/cli/follow.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { NODE, type Started, start, stop } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService } from '../support/service.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';

const service = withVerbs(await startTestService({ settings: { TENANT_STREAMS: '2' } }));
const { admin, internals, url, db } = service;
const { hostname, port } = new URL(url);

/** A tail, what it has printed so far, and how often it has connected. */
function tail(env: Record<string, string>, ...args: string[]) {
  const started = start([NODE, 'src/cli/tail.ts', '--url', url, ...args], env);
  let stdout = '';
  let stderr = '';
  started.child.stdout?.on('data', (text) => {
    stdout += text;
  });
  started.child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const lines = () => stdout.split('\n').slice(0, -1);
  return {
    ...started,
    lines,
    told: () => stderr,
    printed: (n: number) => until(lines, (now) => now.length >= n),
    says: (text: string) =>
      until(
        () => stderr,
        (now) => now.includes(text),
      ),
    connected: (times = 1) =>
      until(
        () => stderr,
        (now) => now.split('connected').length > times,
      ),
  };
}

const ofAll = (...args: string[]) => tail({ DOCKET_KEY: internals }, ...args);
const ofScope = ({ key }: Tenant, scope: string, ...args: string[]) =>
  tail({ DOCKET_KEY: admin, DOCKET_TENANT_KEY: key }, '--scope', scope, ...args);
const interrupted = (tailing: Started) => stop(tailing, 'SIGINT');
const newestId = async () => {
  const { rows } = await db.query<{ id: string }>('select max(event_id) as id from events');
  return rows[0]?.id as string;
};

describe('npm run tail', () => {
  it('prints what happens, a line each, and ends with Ctrl-C', async () => {
    const tenant = await service.newTenant('Ac\u001b[31mme "& Söhne"');
    const seen = ofAll('--after', '0', '--types', 'tenant.created,scope.created,document.*');
    await seen.connected();
    await service.ingest(tenant, 'shown', 'ok', { document_id: 'lease 12' });
    const lines = await seen.printed(3);
    const at = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
    const like = (rest: string) => expect.stringMatching(new RegExp(`^${at}  ${rest}$`));
    expect(lines).toEqual([
      like(`tenant.created {10}${tenant.tenantId}  name="Ac.u001b\\[31mme ."& Söhne.""`),
      like(`scope.created {11}${tenant.tenantId}/shown  name=shown`),
      like(`document.queued {9}${tenant.tenantId}/shown  "lease 12" v1 seq 0`),
    ]);
    expect(await interrupted(seen)).toMatchObject({ code: 0, signal: null });
  });

  it('ends by itself after as many events as were asked for, though more have come', async () => {
    const tenant = await service.newTenant();
    for (const name of ['one', 'two', 'three']) await service.ingest(tenant, 'counted', name);
    const tailing = ofScope(tenant, 'counted', '--after', '0', '--count', '2');
    expect(await tailing.ended).toMatchObject({ code: 0 });
    expect(tailing.lines()).toHaveLength(2);
  });

  it('of a scope prints only its events, and not whose it is', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'mine', 'ok');
    const seen = ofScope(tenant, 'mine', '--after', await newestId());
    await seen.connected();
    await service.ingest(tenant, 'other', 'ok');
    await service.ingest(tenant, 'mine', 'ok', { document_id: 'here' });
    expect(await seen.printed(1)).toEqual([expect.stringMatching(/Z {2}document\.queued {9}mine {2}here v1 seq 1$/)]);
    await interrupted(seen);
  });

  it('takes the key of a tenant alone, for a scope or for all that are its own', async () => {
    const [tenant, other] = [await service.newTenant(), await service.newTenant()];
    const from = await newestId();
    for (const scope of ['one', 'two']) await service.ingest(tenant, scope, 'ok', { document_id: `in-${scope}` });
    await service.ingest(other, 'one', 'ok', { document_id: 'theirs' });
    const asTenant = (...args: string[]) =>
      tail({ DOCKET_TENANT_KEY: tenant.key }, '--types', 'document.*', '--after', from, ...args);
    const [all, two] = [asTenant(), asTenant('--scope', 'two')];
    expect(await all.printed(2)).toEqual([
      expect.stringMatching(/Z {2}document\.queued {9}one {2}in-one v1 seq 0$/),
      expect.stringMatching(/Z {2}document\.queued {9}two {2}in-two v1 seq 0$/),
    ]);
    expect(await two.printed(1)).toEqual([expect.stringContaining('two  in-two v1')]);
    for (const tailing of [all, two]) await interrupted(tailing);
    const raw = asTenant('--json', '--count', '1');
    await raw.ended;
    expect(Object.keys(JSON.parse(raw.lines()[0] as string))).toEqual(['id', 'type', 'ts', 'scope_id', 'payload']);
  });

  it('prints envelopes with --json, and colours nothing in a pipe', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'raw', 'ok', { document_id: 'é' });
    const seen = ofScope(tenant, 'raw', '--after', '0', '--json');
    const lines = await seen.printed(2);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ type: 'scope.created', scope_id: 'raw' }),
      expect.objectContaining({ id: await newestId(), payload: { document_id: 'é', version: 1, seq: 0 } }),
    ]);
    await interrupted(seen);
  });

  it('escapes in JSON what would move the cursor of a terminal, or turn a line around, and says the same', async () => {
    const tenant = await service.newTenant();
    // A control sequence in one character, a line turned around, a tag outside of the first plane, and nothing of the kind.
    const document_id = 'a\u009b2J\u202egpj\u2028\u{e0041}\u007f💾é';
    await service.ingest(tenant, 'hostile', 'ok', { document_id });
    const seen = ofScope(tenant, 'hostile', '--after', '0', '--json', '--count', '2');
    await seen.ended;
    const line = seen.lines()[1] as string;
    expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(line).toContain('💾é');
    expect(JSON.parse(line).payload.document_id).toBe(document_id);
  });

  it('ends quietly when nobody reads on', async () => {
    const tenant = await service.newTenant();
    const seen = ofAll();
    await seen.connected();
    seen.child.stdout?.destroy();
    const ended = once(seen.child, 'exit');
    for (let n = 0; seen.child.exitCode === null && n < 50; n++) await service.ingest(tenant, 'unread', 'ok');
    expect(await ended).toEqual([0, null]);
    expect(seen.told()).not.toMatch(/EPIPE| {4}at /);
  });
});

describe('a connection that breaks', () => {
  it('is taken up again, with nothing missed and nothing twice', async () => {
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'broken', 'ok', { document_id: 'd0' });
    const seen = ofScope(tenant, 'broken', '--after', '0', '--json', '--url', `http://127.0.0.1:${proxy.port}`);
    await seen.printed(2);
    for (let n = 1; n <= 9; n += 3) {
      proxy.down();
      await service.ingest(tenant, 'broken', 'ok', { document_id: `d${n}` });
      await service.ingest(tenant, 'broken', 'ok', { document_id: `d${n + 1}` });
      proxy.up();
      await seen.printed(n + 3);
      await service.ingest(tenant, 'broken', 'ok', { document_id: `d${n + 2}` });
      await seen.printed(n + 4);
    }
    await interrupted(seen);
    const events = seen.lines().map((line) => JSON.parse(line));
    expect(events.slice(1).map(({ payload }) => payload.document_id)).toEqual(
      Array.from({ length: 10 }, (_, n) => `d${n}`),
    );
    expect(seen.told()).toMatch(/^tail: the connection was lost \(.+\); trying again, after event \d+$/m);
  });

  it('is dead when it is silent for too long', async () => {
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'silent', 'ok', { document_id: 'd0' });
    const halt = new AbortController();
    const told: string[] = [];
    const events = follow({
      url: `http://127.0.0.1:${proxy.port}/admin/scopes/silent/events?types=document.*`,
      headers: { authorization: `Bearer ${admin}`, 'x-tenant-api-key': tenant.key },
      after: '0',
      stop: halt.signal,
      tell: (line) => told.push(line),
      silenceMs: 1000,
    });
    const next = async () => JSON.parse((await events.next()).value?.data ?? '{}').payload.document_id;
    expect(await next()).toBe('d0');
    proxy.stall();
    await service.ingest(tenant, 'silent', 'ok', { document_id: 'd1' });
    const coming = next();
    await until(
      () => told,
      (lines) => lines.some((line) => line.includes('nothing was heard for 1 s')),
    );
    proxy.up();
    expect(await coming).toBe('d1');
    halt.abort();
    expect(await events.next()).toMatchObject({ done: true });
  });

  it('is waited for when there is no service yet, or none any more', async () => {
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    proxy.down();
    const seen = ofAll('--url', `http://127.0.0.1:${proxy.port}`);
    await seen.says('nobody answers');
    proxy.up();
    await seen.connected();
    proxy.down();
    await seen.says('the connection was lost');
    proxy.up();
    await seen.connected(2);
    expect(await interrupted(seen)).toMatchObject({ code: 0 });
  });

  it('is waited for as long as the service says when it is full', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'full', 'ok');
    const headers = { authorization: `Bearer ${admin}`, 'x-tenant-api-key': tenant.key };
    const others = [
      await openStream(url, '/admin/scopes/full/events', headers),
      await openStream(url, '/admin/scopes/full/events', headers),
    ];
    const seen = ofScope(tenant, 'full', '--after', '0');
    await seen.says('streams open, which is as many as it may');
    for (const stream of others) stream.close();
    await seen.printed(2);
    await interrupted(seen);
  });
});

describe('a gap', () => {
  it('is a line of its own, and what is kept follows', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'trimmed', 'ok', { document_id: 'd0' });
    const gone = await newestId();
    await service.ingest(tenant, 'trimmed', 'ok', { document_id: 'd1' });
    // A node that starts now has nothing in hand of what was before.
    const { url: freshUrl } = await startTestService({ settings: { DATABASE_URL: service.databaseUrl } });
    await db.query(
      `with gone as (delete from events where event_id <= $1 returning event_id)
      update event_log set trimmed_up_to = (select max(event_id) from gone)`,
      [gone],
    );
    const seen = ofScope(tenant, 'trimmed', '--after', '1', '--url', freshUrl);
    expect(await seen.printed(2)).toEqual([
      `--- gap: events after 1 up to ${gone} are no longer kept ---`,
      expect.stringContaining('d1 v1 seq 1'),
    ]);
    await interrupted(seen);

    const json = ofScope(tenant, 'trimmed', '--after', '1', '--url', freshUrl, '--json');
    expect((await json.printed(1)).map((line) => JSON.parse(line).payload.document_id)).toEqual(['d1']);
    expect(json.told()).toContain('--- gap');
    await interrupted(json);
  });
});

describe('what cannot work ends with 1 and says why', () => {
  const withKey = { DOCKET_KEY: internals };

  it.each<[string, Record<string, string>, string[], RegExp]>([
    ['an option that there is not', withKey, ['--colour'], /colour.*usage: npm run tail/s],
    ['a word too many', withKey, ['now'], /now.*usage: npm run tail/s],
    ['no key', {}, [], /neither DOCKET_KEY nor DOCKET_TENANT_KEY is set\nusage/],
    ['a key with a line end in it', { DOCKET_KEY: 'di_first\ndi_second' }, [], /DOCKET_KEY: expected(?!.*di_)/s],
    ['a scope and no key of its tenant', withKey, ['--scope', 'a'], /DOCKET_TENANT_KEY is not set/],
    ['no count', withKey, ['--count', '0'], /--count: expected a whole number/],
    ['no id', withKey, ['--after', 'x'], /--after: expected the id of an event/],
    ['no address', withKey, ['--url', 'localhost:8080'], /--url: expected/],
    ['400: a type that there is not', withKey, ['--types', 'nonsense'], /400: .*there is no nonsense/],
    ['400: an id that was not given yet', withKey, ['--after', '900000000000000'], /400: .*newer than any event/],
    ['401: an unknown key', { DOCKET_KEY: 'di_unknown' }, [], /401: Send a valid operator key/],
    ['403: a key of another tier', { DOCKET_KEY: admin }, [], /403: .*internals/],
    [
      '401: an unknown key of a tenant',
      { DOCKET_TENANT_KEY: 'dk_unknown' },
      [],
      /401: X-Tenant-API-Key is not a valid/,
    ],
    ['404: no Docket there', withKey, ['--url', `${url}/elsewhere`], /404: /],
  ])('%s', async (_name, env, args, message) => {
    const { code, stderr } = await tail(env, ...args).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toContain('    at ');
  });

  it('400: a type that tenants do not hear of', async () => {
    const { key } = await service.newTenant();
    const { code, stderr } = await tail({ DOCKET_TENANT_KEY: key }, '--types', 'key.*').ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/400: .*there is no key/)]);
  });

  it('404: a scope of another tenant', async () => {
    const [tenant, other] = [await service.newTenant(), await service.newTenant()];
    await service.ingest(tenant, 'private', 'ok');
    const { code, stderr } = await ofScope(other, 'private').ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('404: ')]);
  });

  it('404: a scope that was deleted, when the connection breaks', async () => {
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'deleted', 'ok');
    const seen = ofScope(tenant, 'deleted', '--after', await newestId(), '--url', `http://127.0.0.1:${proxy.port}`);
    await seen.connected();
    await service.call('DELETE', '/admin/scopes/deleted', { key: admin, tenantKey: tenant.key });
    expect(await seen.printed(1)).toEqual([expect.stringContaining('scope.deleted')]);
    proxy.down();
    proxy.up();
    const { code, stderr } = await seen.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('404: ')]);
  });

  it.each([
    ['200: no event stream', 200, {}],
    ['302: keys are not carried elsewhere', 302, { location: `${url}/internals/kernel/events` }],
  ])('%s', async (_name, status, headers) => {
    const stranger = createServer((_request, response) => response.writeHead(status, headers).end('hello'));
    later(() => stranger.close());
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    const { port } = stranger.address() as AddressInfo;
    const { code, stderr } = await tail(withKey, '--url', `http://127.0.0.1:${port}`).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(`answered ${status}, .*is that Docket`)]);
  });

  it('an event without an end', async () => {
    const stranger = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${'x'.repeat(2 * 1024 * 1024)}`);
    });
    later(() => stranger.close());
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    const { port } = stranger.address() as AddressInfo;
    const { code, stderr } = await tail(withKey, '--url', `http://127.0.0.1:${port}`).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no end; is that Docket?')]);
  });
});
