/** The page of docs/events.md, as it stands there, in a browser and from another origin: nothing is missed and nothing comes twice. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { signToken } from '../../src/domain/stream-token-format.ts';
import { inBrowser, type Page, startBrowser } from '../support/browser.ts';
import { type Tenant, withVerbs } from '../support/kernel.ts';
import { later } from '../support/later.ts';
import { startProxy } from '../support/proxy.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const SCOPE = 'contracts-2026';
/** Shorter than any that is asked for: who has the key can sign it. */
const SHORT_MS = 4000;

function documented(): string {
  const docs = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
  const pages = [...docs.matchAll(/^```html\n(.*?)^```$/gms)].map(([, page]) => page as string);
  expect(pages).toHaveLength(1);
  return pages[0] as string;
}

/** The server of a page on an origin of its own: the page, and a token when it asks for one. */
async function startSite() {
  const site = { origin: '', api: '', tokens: 0, newToken: async (): Promise<string> => '' };
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url === '/stream-token') {
      site.tokens++;
      const token = await site.newToken();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token }));
    } else if (request.url === '/') {
      const page = documented().replace('https://docket.example.com', site.api);
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    } else response.writeHead(404).end();
  });
  later(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

const shows = (page: Page, lines: string[]) =>
  until(
    () => page.lines(),
    (shown) => JSON.stringify(shown) === JSON.stringify(lines),
  );

inBrowser('the page of the docs', () => {
  it('shows documents as they are processed, through a cut connection and expired tokens', async () => {
    const [site, stranger] = [await startSite(), await startSite()];
    const service = withVerbs(await startTestService({ settings: { ROLE: 'all', CORS_ORIGINS: site.origin } }));
    const { hostname, port } = new URL(service.url);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const tenant = await service.newTenant();
    const other = await service.newTenant();
    const asked = async () => {
      const body = { scope_id: SCOPE };
      return (await service.call('POST', '/api/stream-tokens', { tenantKey: tenant.key, body })).body.token as string;
    };
    let ends = 0;
    const short = async () => {
      const { token, expiresAt } = signToken(tenant.key, SCOPE, Date.now() + SHORT_MS);
      ends = expiresAt.getTime();
      return token;
    };
    site.api = stranger.api = `http://127.0.0.1:${proxy.port}`;
    site.newToken = stranger.newToken = asked;
    const post = async (whose: Tenant, document_id: string) => {
      const text = `The lease of ${document_id} runs for three years.`;
      expect((await service.ingest(whose, SCOPE, text, { document_id })).status).toBe(202);
    };
    await post(tenant, 'first');
    await post(other, 'theirs');
    const browser = await startBrowser();
    const page = await browser.open(site.origin);
    const done = (id: string) => `${id}: queued → processed`;
    await shows(page, [done('first')]);

    await post(tenant, 'live');
    await shows(page, [done('first'), done('live')]);
    expect(site.tokens).toBe(1);

    // Cut off, it comes back by itself, with the token that it has; the next one is short.
    proxy.down();
    await post(tenant, 'cut');
    site.newToken = short;
    proxy.up();
    await shows(page, ['first', 'live', 'cut'].map(done));
    expect(site.tokens).toBe(1);

    // A page that is opened now gets tokens that end before its eyes.
    const brief = await browser.open(site.origin);
    await shows(brief, ['first', 'live', 'cut'].map(done));
    const before = site.tokens;
    await until(
      () => site.tokens,
      (tokens) => tokens > before + 1,
    );
    await post(tenant, 'renewed');
    for (const each of [page, brief]) await shows(each, ['first', 'live', 'cut', 'renewed'].map(done));

    // And one that ends while nobody can say so: refused when it comes back, it asks for another.
    proxy.down();
    await post(tenant, 'away');
    await until(
      () => Date.now(),
      (now) => now > ends,
    );
    const missed = site.tokens;
    proxy.up();
    for (const each of [page, brief]) await shows(each, ['first', 'live', 'cut', 'renewed', 'away'].map(done));
    expect(site.tokens).toBeGreaterThan(missed);
    expect(await page.lines()).not.toContain('theirs');

    // From an origin that is not allowed, the browser shows nothing of it, though the token is good.
    const tried = stranger.tokens;
    const foreign = await browser.open(stranger.origin);
    await until(
      () => stranger.tokens,
      (tokens) => tokens > tried + 1,
    );
    expect(await foreign.lines()).toEqual([]);
    expect(foreign.said().join('\n')).toMatch(/CORS/);
  });
});
