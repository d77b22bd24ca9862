/** What the console shows when things are not as they should be, to keys that may do less, on a phone and in the dark. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BY_COMMAND_LINE } from '../../src/domain/audit.ts';
import { issueKey, revokeKey } from '../../src/domain/keys.ts';
import { inBrowser } from '../support/browser.ts';
import { newDatabase } from '../support/database.ts';
import { later } from '../support/later.ts';
import { startService, stop } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { launch, openConsole, openPage, SIZES } from './opened.ts';
import { failSome, makeWorld, pauseNordwind } from './world.ts';

inBrowser('the console', async () => {
  const world = await makeWorld();
  const { acme, db, admin, internals } = world;
  await failSome(world);
  await pauseNordwind(world);
  const browser = await launch();
  const link = await openConsole(world, internals);
  const places = [
    ['now', '#/now', 'Nordwind Logistics is paused.'],
    ['documents', '#/documents', '24 found'],
    ['document', `#/documents/${world.harbour.tenantId}/invoices/f3`, 'Why it failed'],
    ['scopes', '#/scopes', 'contracts-2026'],
    ['scope', `#/scopes/${acme.tenantId}/contracts-2026?state=disputed`, 'What stands in the way'],
    ['contradictions', '#/contradictions', 'contracts-2026'],
    ['contradiction', `#/contradictions/${acme.tenantId}/contracts-2026`, 'A holds'],
    ['live', '#/live', 'Nothing has happened since this page was opened'],
  ] as const;

  describe.each([
    ['on a phone', 'phone', { size: SIZES.phone }],
    ['in the dark', 'dark', { colours: 'dark' }],
    ['on a phone in the dark', 'phone-dark', { size: SIZES.phone, colours: 'dark' }],
  ] as const)('%s', (_what, look, options) => {
    it('every view can be used, and axe finds nothing', async () => {
      const { page, to, shows, accessible, picture, wasQuiet } = await openPage(browser, link, options);
      for (const [name, place, text] of places) {
        await to(place);
        await shows(text);
        if (name === 'contradiction') await page.locator('.side mark').nth(1).waitFor();
        await accessible();
        await picture(`${name}-${look}`);
      }
      wasQuiet();
    });
  });

  it('the colours are those of the system, or those that were chosen', async () => {
    const { page, wasQuiet } = await openPage(browser, link, { colours: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await expect.poll(ground).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Use light colours' }).waitFor();
    expect(await ground()).not.toBe(light);
    await page.getByRole('button', { name: 'Use light colours' }).click();
    await expect.poll(ground).toBe(light);
    wasQuiet();
  });

  it('the service is killed and comes back: what was seen stays, and goes on by itself', async () => {
    const key = `internals-${randomBytes(24).toString('hex')}`;
    const env = { DATABASE_URL: await newDatabase(), INTERNALS_API_KEYS: key, ROLE: 'all' };
    const own = startService(env);
    const url = await own.listening;
    const { page, shows, hides, accessible, picture } = await openPage(browser, await openConsole({ url }, key));
    await shows('Everything runs.');
    const chart = page.locator('.chart canvas').first();
    // It is drawn once there are figures of two moments.
    await chart.waitFor();
    await stop(own, 'SIGKILL');
    await shows('The service does not answer');
    await chart.waitFor();
    await accessible();
    await picture('away');
    await startService({ ...env, PORT: new URL(url).port }).listening;
    await hides('The service does not answer');
    // Whether the one that was killed is missed already or not, there is another.
    await expect.poll(() => page.getByRole('row', { name: /node_\w+.*up/s }).count()).toBeGreaterThan(0);
  });

  it('a tail that is cut goes on where it was, and misses nothing', async () => {
    const { hostname, port } = new URL(world.url);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const { page, to, wasQuiet } = await openPage(
      browser,
      await openConsole({ url: `http://127.0.0.1:${proxy.port}` }, internals),
    );
    await to('#/live?family=document');
    await page.locator('.pulse.open').waitFor();
    const log = page.getByRole('log');
    await world.ingest(acme, 'cut', 'One.', { document_id: 'before-the-cut' });
    await log.getByText('before-the-cut').first().waitFor();
    proxy.down();
    await page.locator('.pulse.waiting').waitFor();
    await world.ingest(acme, 'cut', 'Two.', { document_id: 'during-the-cut' });
    await world.processed(acme, 'cut', 2);
    proxy.up();
    // Queued and processed, each once.
    await expect.poll(() => log.getByText('during-the-cut').count()).toBe(2);
    expect(await log.getByText('before-the-cut').count()).toBe(2);
    wasQuiet();
  });

  it('a wrong key is said so, and one that is revoked meanwhile, too', async () => {
    const wrong = await openPage(browser, await openConsole(world, 'da_wrong_key'));
    await wrong.shows('The service refuses this key');
    await wrong.accessible();
    await wrong.picture('wrong-key');
    const { key } = await issueKey(db, 'internals', {}, BY_COMMAND_LINE);
    const { shows } = await openPage(browser, await openConsole(world, key));
    await shows('Nordwind Logistics is paused.');
    await revokeKey(db, null, key.slice(0, 11), BY_COMMAND_LINE);
    await shows('The service refuses this key');
  });

  it('a key that only reads sees all and is offered nothing', async () => {
    const { key } = await issueKey(db, 'internals', { readOnly: true }, BY_COMMAND_LINE);
    const { page, to, shows, picture, wasQuiet } = await openPage(browser, await openConsole(world, key));
    await shows('read-only');
    await shows('They sent their mail archive twice.');
    await picture('read-only');
    const buttons = (name: RegExp) => page.getByRole('button', { name }).count();
    expect(await buttons(/Resume|Start|Pause|Stop|Restart/)).toBe(0);
    await to(`#/documents/${world.harbour.tenantId}/invoices/f3`);
    await shows('Why it failed');
    expect(await buttons(/Retry/)).toBe(0);
    await to(`#/contradictions/${acme.tenantId}/contracts-2026`);
    await page.locator('.side mark').nth(1).waitFor();
    expect(await buttons(/holds|Leave undecided/)).toBe(0);
    await page.keyboard.press('a');
    expect(await page.locator('.decision form').count()).toBe(0);
    wasQuiet();
  });

  it('an admin key is told what it does not reach, and reaches the rest tenant by tenant', async () => {
    const { page, to, shows, accessible, picture, wasQuiet } = await openPage(browser, await openConsole(world, admin));
    await shows('This key does not reach that');
    await shows('Nordwind Logistics is paused.');
    await accessible();
    await picture('admin-now');
    await to('#/scopes');
    await shows('An admin key sees the scopes of one tenant at a time');
    await page.locator('#tenants option').nth(2).waitFor({ state: 'attached' });
    await page.getByLabel('Tenant').fill('acme robotics');
    await page.keyboard.press('Enter');
    await shows('contracts-2026');
    await to(`#/live?tenant=${acme.tenantId}&scope=contracts-2026`);
    await page.locator('.pulse.open').waitFor();
    await to('#/live');
    await shows('This key does not reach that');
    await picture('admin-live');
    wasQuiet();
  });

  it('cancelling ends a retry of documents after the piece in hand, and says how far it came', async () => {
    const { page, shows, wasQuiet } = await openPage(browser, link);
    const letGo = Promise.withResolvers<void>();
    let pieces = 0;
    // No piece of a test takes ten seconds: these are as the service answers when one does.
    await page.route('**/service/admin/documents/retry', async (route) => {
      const body = route.request().postDataJSON() as { dry_run?: boolean; older_than?: string };
      if (body.dry_run) return route.continue();
      if (++pieces === 2) await letGo.promise;
      await route.fulfill({ json: { matched: 3, queued: 3, complete: false, older_than: body.older_than } });
    });
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.getByRole('button', { name: 'Retry all that match…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Retry/ }).click();
    await expect.poll(() => pieces).toBe(2);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    letGo.resolve();
    await shows('Stopped: 6 documents queued again, and not all that match.');
    expect(pieces).toBe(2);
    wasQuiet();
  });

  it('the pass is in every tab and no address, and goes to nobody on another port', async () => {
    const { origin, hash } = new URL(link);
    const { page, to, shows } = await openPage(browser, link);
    await shows('Nordwind Logistics is paused.');
    expect(page.url()).toBe(`${origin}/#/now`);
    const heard: IncomingHttpHeaders[] = [];
    const other = createServer((request, response) => {
      heard.push(request.headers);
      response.setHeader('content-type', 'text/html').end('<p>Somebody else</p>');
    });
    later(() => {
      other.close();
      other.closeAllConnections();
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const tab = await page.context().newPage();
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    expect(heard.length).toBeGreaterThan(0);
    expect(JSON.stringify(heard)).not.toContain(hash.replace('#pass=', ''));
    expect(heard[0]).not.toHaveProperty('cookie');
    expect(await tab.evaluate('localStorage.length')).toBe(0);
    await tab.goto(`${origin}/#/documents`);
    await tab.getByText('24 found').waitFor();
    // The link once more, in a tab that is open.
    await to('#/documents');
    await shows('24 found');
    await page.goto(link);
    await expect.poll(() => page.url()).toBe(`${origin}/#/now`);
    await shows('Nordwind Logistics is paused.');
  });

  it('a place that is not there, and a browser that the console does not know', async () => {
    const { page, to, shows, accessible, picture } = await openPage(browser, link);
    await to(`#/scopes/${acme.tenantId}/nowhere`);
    await shows('It is not there');
    await accessible();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await shows('This browser has no pass yet');
    await accessible();
    await picture('locked');
  });
});
