/** Somebody reads in the console while things go on: what they look at, have chosen and have typed stays theirs. */
import type { Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { addFailed } from '../support/failed.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { failSome, makeWorld } from './world.ts';

inBrowser('who reads in the console', async () => {
  const world = await makeWorld();
  const { acme, nordwind } = world;
  await failSome(world);
  const browser = await launch();
  const link = await openConsole(world, world.internals);

  it('finds the tail as it was after following one of its rows, and what came meanwhile', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await to('#/live');
    await page.locator('.pulse.open').waitFor();
    const log = page.getByRole('log');
    await world.ingest(acme, 'left', 'One.', { document_id: 'before-leaving' });
    await log.getByText('before-leaving').first().waitFor();
    await log.getByRole('link', { name: /document.queued.*before-leaving/ }).click();
    await page.getByRole('heading', { name: 'Its life' }).waitFor();
    await world.ingest(acme, 'left', 'Two.', { document_id: 'while-away' });
    await world.processed(acme, 'left', 2);
    await page.goBack();
    await log.getByText('while-away').first().waitFor();
    await log.getByText('before-leaving').first().waitFor();

    // A pause outlasts another choice, and a look elsewhere.
    await page.getByRole('button', { name: 'Pause' }).click();
    await world.ingest(nordwind, 'left', 'Three.', { document_id: 'while-held' });
    await shows(/Paused; [1-9]\d* new events?/);
    await page.getByRole('button', { name: 'documents', exact: true }).click();
    await expect.poll(() => page.url()).toContain('family=document');
    await page.getByRole('link', { name: 'Scopes', exact: true }).click();
    await page.goBack();
    await shows(/Paused; [1-9]\d* new events?/);
    await log.getByText('while-away').first().waitFor();
    expect(await log.getByText('while-held').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await log.getByText('while-held').first().waitFor();

    // A tenant by its id alone.
    await page.getByLabel('Tenant').fill(nordwind.tenantId);
    await page.keyboard.press('Enter');
    await expect.poll(() => log.getByText('while-away').count()).toBe(0);
    await log.getByText('while-held').first().waitFor();
    expect(page.url()).toContain(`tenant=${nordwind.tenantId}`);
    expect(await page.getByLabel('Tenant').inputValue()).toBe(`Nordwind Logistics · ${nordwind.tenantId}`);
    wasQuiet();
  });

  it('is shown what was asked for under the filter that is chosen, and under no other', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await page.clock.install();
    await to('#/documents');
    await shows('24 found');
    // The look that is taken every ten seconds is still under way when another state is chosen.
    const letGo = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    await page.route(/\/service\/admin\/documents\?state=failed/, async (route) => {
      isHeld.resolve();
      await letGo.promise;
      await route.continue();
    });
    await page.clock.runFor(10_000);
    await isHeld.promise;
    await page.getByLabel('State').selectOption('processed');
    await page.getByRole('link', { name: /Waybill 2/ }).waitFor();
    const answered = page.waitForResponse(/state=failed/);
    letGo.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    expect(await page.getByRole('link', { name: /Waybill 2/ }).count()).toBe(1);
    expect(await page.getByRole('link', { name: /Invoice 3/ }).count()).toBe(0);
    wasQuiet();
  });

  it('is not taken back by what they typed before they went elsewhere', async () => {
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await page.clock.install();
    await to('#/documents');
    await shows('24 found');
    // At once, however busy the machine is.
    await page.evaluate(`(() => {
      const field = document.querySelector('.filters input');
      field.value = 'waybill-2';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      location.hash = '#/scopes';
    })()`);
    await page.clock.runFor(1000);
    await page.getByRole('link', { name: /contracts-2026/ }).waitFor();
    expect(page.url()).toMatch(/#\/scopes$/);
    wasQuiet();
  });

  it('closes the evidence and keeps the filter that was chosen beside it', async () => {
    const { page, to, wasQuiet } = await openPage(browser, link);
    await to(`#/scopes/${acme.tenantId}/contracts-2026?state=disputed`);
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByRole('link', { name: /2,310/ }).click();
    const evidence = page.getByRole('complementary', { name: 'The evidence' });
    await evidence.getByText('Acme Robotics has 2,310 employees.').waitFor();
    await facts.getByRole('button', { name: 'agreed' }).click();
    await expect.poll(() => page.url()).toContain('state=agreed');
    await evidence.getByRole('link', { name: 'Close' }).click();
    await evidence.waitFor({ state: 'hidden' });
    expect(page.url()).toMatch(/state=agreed$/);
    wasQuiet();
  });

  it('keeps the focus in a row while the list scrolls under it', async () => {
    const many = await world.newTenant('Many');
    await world.ingest(many, 'many', 'ok');
    await world.processed(many, 'many', 1);
    await addFailed(world.db, { tenantId: many.tenantId, scopeId: 'many' }, 80);
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await to(`#/documents?tenant=${many.tenantId}`);
    await shows('80 found');
    await page.locator('.rows [data-at="8"] a').focus();
    const focused = () =>
      page.evaluate('document.activeElement.closest("li")?.dataset.at ?? document.activeElement.tagName');
    // Row 12 comes to the top, and with it only a few rows above it are drawn.
    await page.evaluate(`(() => {
      const [main, list] = [document.getElementById('main'), document.querySelector('.virtual')];
      main.scrollBy(0, list.getBoundingClientRect().top - main.getBoundingClientRect().top + 64 * 12);
    })()`);
    await page.locator('.rows [data-at="0"]').waitFor({ state: 'detached' });
    expect(await focused()).toBe('8');
    wasQuiet();
  });

  it('is asked nothing for while they look at another tab, and is up to date when they come back', async () => {
    const { page, shows, wasQuiet } = await openPage(browser, link);
    const asked: string[] = [];
    const open = new Set<Request>();
    page.on('request', (request) => {
      open.add(request);
      asked.push(new URL(request.url()).pathname);
    });
    page.on('requestfinished', (request) => open.delete(request));
    page.on('requestfailed', (request) => open.delete(request));
    await page.clock.install();
    await page.reload();
    await shows('Everything runs.');
    const see = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await see(true);
    // What was asked for before is answered first.
    await expect.poll(() => open.size).toBe(0);
    asked.length = 0;
    await page.clock.runFor(60_000);
    expect(asked).toEqual([]);
    await see(false);
    await expect.poll(() => asked).toContain('/service/admin/control-plane/health');
    wasQuiet();
  });

  it('reads the name of a tenant that could not be looked up at first', async () => {
    const late = await world.newTenant('Late & Co');
    await world.ingest(late, 'late', 'One.', { document_id: 'late-1', name: 'Late 1' });
    await world.processed(late, 'late', 1);
    const { page, to, wasQuiet } = await openPage(browser, link);
    let refused = 0;
    await page.route(`**/service/admin/tenants/${late.tenantId}`, async (route) => {
      if (++refused > 1) return route.continue();
      await route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Not now.' } });
    });
    // Nor is it among those that are read every minute.
    await page.route(/\/service\/admin\/tenants\?/, (route) =>
      route.fulfill({ json: { tenants: [], next_cursor: null } }),
    );
    await page.clock.install();
    await page.reload();
    await to('#/documents?document=late-1');
    await page.getByRole('link', { name: new RegExp(`${late.tenantId} › late`) }).waitFor();
    await expect.poll(() => refused).toBe(1);
    await page.clock.runFor(45_000);
    await page.getByRole('link', { name: /Late & Co › late/ }).waitFor();
    wasQuiet();
  });
});
