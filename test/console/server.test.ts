/** The server of the console, before a real service: whom it answers, what it passes on, and what it never lets out. */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Console, startConsole } from '../../src/cli/console/server.ts';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/domain/keys.ts';
import { withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = withVerbs(await startTestService());
const { admin, internals, db, url } = service;

async function open(key: string, at = url) {
  const console = await startConsole({ url: at, key }, 0);
  later(() => console.close());
  return { ...console, ...admitted(console) };
}

/** What the link gives a browser. */
function admitted({ link }: Console) {
  const { origin, hash } = new URL(link);
  const pass = hash.replace('#pass=', '');
  return { origin, pass, headers: { 'x-docket-pass': pass } };
}

const opened = await open(internals);
const { origin, pass, headers } = opened;

/** With headers that fetch does not let one set. */
function ask(path: string, more: Record<string, string>, method = 'GET'): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers: { ...headers, ...more } }, (response) => {
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode as number, text }));
    });
    request.on('error', reject).end();
  });
}

describe('whom it answers', () => {
  it('a browser that has come by the link, and no other', async () => {
    expect(new URL(opened.link).hostname).toBe('127.0.0.1');
    for (const path of ['/console/session', '/service/admin/runtime']) {
      const answers = [headers, {}, { 'x-docket-pass': 'wrong' }, { 'x-docket-pass': 'x'.repeat(pass.length) }].map(
        async (given) => (await fetch(origin + path, { headers: given as Record<string, string> })).status,
      );
      expect([path, await Promise.all(answers)]).toEqual([path, [200, 401, 401, 401]]);
    }
    const refused = await fetch(`${origin}/console/session`);
    expect(await refused.json()).toMatchObject({ code: 'locked', detail: expect.stringContaining('npm run console') });
  });

  it('by what the page alone sends: no cookie is set, and none counts, nor what is in the address', async () => {
    const page = await fetch(opened.link);
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    const cookie = `x-docket-pass=${pass}`;
    expect((await fetch(`${origin}/console/session?pass=${pass}`, { headers: { cookie } })).status).toBe(401);
  });

  it('with the files of the page, whoever asks: a browser cannot send anything with them', async () => {
    for (const path of ['/', '/main.js', '/style/base.css'])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
  });

  it.each([
    ['another name', { host: 'docket.example.com' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a name that may be somebody else by ::1', { host: `localhost:${new URL(origin).port}` }],
    ['another origin', { origin: 'https://example.com' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['a request that another site makes', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('not %s', async (_what, more) => {
    const { status, text } = await ask('/service/admin/runtime', more as Record<string, string>);
    expect([status, JSON.parse(text).code]).toEqual([403, 'foreign']);
  });

  it('nothing that changes something and does not say where it comes from', async () => {
    expect(await ask('/service/admin/runtime/pause', {}, 'POST')).toMatchObject({ status: 403 });
    expect((await service.call('GET', '/admin/runtime', { key: admin })).body.levels).toEqual([]);
  });

  it('a view that is opened from the page of another site', async () => {
    expect(await ask('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toMatchObject({
      status: 200,
    });
  });
});

describe('what it lets out', () => {
  it('a page without anything inline, under a policy that allows nothing from elsewhere', async () => {
    const { headers: sent } = await fetch(`${origin}/`, { headers });
    expect(sent.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(sent.get('x-content-type-options')).toBe('nosniff');
    expect(sent.get('cache-control')).toBe('no-store');
    const page = await (await fetch(`${origin}/`, { headers })).text();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=|https?:/);
    for (const path of ['/vendor/uplot.js', '/vendor/uplot.css', '/main.js', '/style/base.css'])
      expect([path, (await fetch(origin + path, { headers })).status]).toEqual([path, 200]);
  });

  it('no other file of the machine', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/vendor/../server.ts', '/console', '/.git/config'])
      expect([path, (await ask(path, {})).status]).toEqual([path, 404]);
  });

  it('never the key', async () => {
    for (const path of ['/', '/main.js', '/console/session', '/service/api/health', '/service/admin/tenants']) {
      const answer = await fetch(origin + path, { headers });
      expect(await answer.text()).not.toContain(internals);
      expect(JSON.stringify([...answer.headers])).not.toContain(internals);
    }
  });
});

describe('what it passes on', () => {
  const post = (path: string, body: string, at = opened) =>
    fetch(`${at.origin}/service${path}`, {
      method: 'POST',
      headers: { ...at.headers, origin: at.origin, 'content-type': 'application/json' },
      body,
    });

  it('what the page needs, with the key, and the answer as it is', async () => {
    const tenant = await service.newTenant('Passed on');
    const { body } = await service.call('GET', `/admin/tenants/${tenant.tenantId}`, { key: admin });
    const answer = await fetch(`${origin}/service/admin/tenants/${tenant.tenantId}`, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, body]);
    const missing = await fetch(`${origin}/service/admin/tenants/nobody`, { headers });
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'not_found' }]);
    const paused = await post('/admin/runtime/pause', JSON.stringify({ tenant_id: tenant.tenantId, reason: 'Tried.' }));
    expect([paused.status, await paused.json()]).toMatchObject([200, { state: 'paused', changed: true }]);
  });

  it.each([
    ['GET', '/admin/audit'],
    ['GET', '/admin/health'],
    ['GET', '/admin/tenants/x/scopes/y'],
    ['GET', '/admin/tenants/x/keys'],
    ['POST', '/admin/tenants'],
    ['POST', '/admin/tenants/x/keys'],
    ['DELETE', '/admin/tenants/x'],
    ['GET', '/admin/tenants/x/../../audit'],
    ['GET', '/admin/tenants/x//scopes'],
    ['GET', '/admin/tenants/..'],
    ['GET', '/admin/tenants/%2e%2e/audit'],
    ['GET', '/admin/tenants/x/scopes/%2e%2E'],
    ['GET', '/admin/tenants/x/scopes/.%2e/metrics'],
    ['GET', '/admin/tenants/x\\..\\..\\audit'],
    ['GET', '/admin/tenants/x/scopes/y\\..\\..\\keys'],
    ['POST', '/admin/runtime\\stop'],
    ['GET', '/admin/tenants/x#/../../audit'],
    ['GET', '/admin/tenants/x%2f..%2f..%2faudit'],
    ['GET', '/admin/tenants/x%2F..%2F..%2Faudit'],
    ['GET', '/admin/tenants/x/scopes/y/documents/a%5C..%5Cb'],
    ['GET', '/admin/tenants/x;y/scopes'],
    ['PATCH', '/admin/tenants/x;/scopes/y/contradictions/z'],
    ['GET', '/admin/tenants/x%00'],
    ['GET', '/admin/tenants/x%0d%0ahost:y'],
    ['GET', '/admin/tenants/%ff'],
    ['GET', '//admin/tenants/x'],
    ['GET', '/admin/tenants/x/'],
    ['GET', '/admin/documents/retry'],
  ])('not %s %s', async (method, path) => {
    const answer = await ask(`/service${path}`, { origin }, method);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([404, 'not_forwarded']);
  });

  it('no body that is too large, or no JSON', async () => {
    expect((await post('/admin/documents/retry', `"${'x'.repeat(70_000)}"`)).status).toBe(413);
    const text = await fetch(`${origin}/service/admin/documents/retry`, {
      method: 'POST',
      headers: { ...headers, origin },
      body: 'x',
    });
    expect(text.status).toBe(415);
  });

  it('streams, event by event, from where the page has been', async () => {
    const tenant = await service.newTenant();
    await service.ingest(tenant, 'streamed', 'ok', { document_id: 'first' });
    const path = `${origin}/service/admin/tenants/${tenant.tenantId}/scopes/streamed/events`;
    const stop = new AbortController();
    const answer = await fetch(path, { headers: { ...headers, 'last-event-id': '0' }, signal: stop.signal });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    let seen = '';
    const reading = (async () => {
      for await (const piece of answer.body ?? []) seen += Buffer.from(piece).toString();
    })().catch(() => {});
    const comes = (id: string) =>
      until(
        () => seen,
        (text) => text.includes(`"${id}"`),
      );
    await comes('first');
    await service.ingest(tenant, 'streamed', 'ok', { document_id: 'second' });
    await comes('second');
    stop.abort();
    await reading;
    // The service is left, too.
    await until(
      async () => (await service.call('GET', '/internals/metrics', { key: internals })).body as string,
      (text) => /^docket_streams 0$/m.test(text),
    );
  });

  it('nothing that changes something for a key that only reads, whatever the page asks', async () => {
    const { key } = await issueKey(db, 'admin', { readOnly: true }, BY_COMMAND_LINE);
    const reader = await open(key);
    const session = await fetch(`${reader.origin}/console/session`, { headers: reader.headers });
    expect(await session.json()).toEqual({ service: url, tier: 'admin', read_only: true });
    const answer = await post('/admin/runtime/pause', '{}', reader);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
    expect((await fetch(`${reader.origin}/service/admin/runtime`, { headers: reader.headers })).status).toBe(200);
  });
});

/** An address where somebody has been. */
async function nowhere(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('what it says of the key', () => {
  it('its tier, and leaves nothing behind in the audit log', async () => {
    const asAdmin = await open(admin);
    const before = await service.call('GET', '/admin/audit?limit=1', { key: admin });
    const answer = await fetch(`${asAdmin.origin}/console/session`, { headers: asAdmin.headers });
    expect(await answer.json()).toEqual({ service: url, tier: 'admin', read_only: false });
    expect((await service.call('GET', '/admin/audit?limit=1', { key: admin })).body).toEqual(before.body);
  });

  it('by looking only: one request, which changes nothing', async () => {
    const asked: string[] = [];
    const watched = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'ok', tier: 'admin', authTier: 'internals', read_only: true }));
    }).listen(0, '127.0.0.1');
    later(() => {
      watched.close();
      watched.closeAllConnections();
    });
    await once(watched, 'listening');
    const at = await open(admin, `http://127.0.0.1:${(watched.address() as AddressInfo).port}`);
    const session = await fetch(`${at.origin}/console/session`, { headers: at.headers });
    expect(await session.json()).toMatchObject({ tier: 'internals', read_only: true });
    expect(asked).toEqual(['GET /admin/health']);
  });

  it('401 for a wrong one, and 502 when nobody answers', async () => {
    const wrong = await open('da_wrong_key');
    const answer = await fetch(`${wrong.origin}/console/session`, { headers: wrong.headers });
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'unauthorized' }]);
    const alone = await open(admin, await nowhere());
    for (const path of ['/console/session', '/service/admin/runtime']) {
      const nobody = await fetch(alone.origin + path, { headers: alone.headers });
      const content = (await nobody.json()) as { code: string; detail: string };
      expect([nobody.status, content.code]).toEqual([502, 'unreachable']);
      expect(content.detail).toContain('ECONNREFUSED');
    }
  });
});
