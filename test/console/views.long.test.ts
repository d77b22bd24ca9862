/** Every view of the console in a browser, over a real service: what an operator finds there, and what becomes of what they do. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { addFailed } from '../support/failed.ts';
import { until } from '../support/until.ts';
import { launch, openConsole, openPage } from './opened.ts';
import { failSome, heldLevels, makeWorld, pauseNordwind } from './world.ts';

inBrowser('the console', async () => {
  const world = await makeWorld();
  const { acme, nordwind, harbour, call, admin } = world;
  await failSome(world);
  const browser = await launch();
  const link = await openConsole(world, world.internals);

  it('now: shows who is paused, by whom and why, and lets them go on', async () => {
    await pauseNordwind(world);
    const { page, shows, hides, accessible, picture, wasQuiet } = await openPage(browser, link);
    await shows('Nordwind Logistics is paused.');
    const row = page.getByRole('row', { name: /Nordwind Logistics/ });
    await row.getByText('They sent their mail archive twice.').waitFor();
    await row.getByText('m.larsen').waitFor();
    await row.getByText('2 documents').waitFor();
    await page.locator('.chart canvas').nth(5).waitFor();
    await shows('Documents a second');
    await shows('24 documents failed');
    await shows(/\d+ facts are disputed in 1 scope/);
    await accessible();
    await picture('now');

    await row.getByRole('button', { name: 'Resume' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 documents that wait will be processed.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await heldLevels(world, 1);
    await row.getByRole('button', { name: 'Resume' }).click();
    await page.keyboard.press('Enter');
    await shows('Nordwind Logistics runs again.');
    await shows('Everything runs.');
    await heldLevels(world, 0);
    await world.processed(nordwind, 'mail', 2);

    // And to hold somebody takes a reason.
    await page.getByRole('button', { name: 'Pause…' }).click();
    // Nobody is meant until somebody is chosen: a reason alone would have paused everybody.
    await dialog.getByLabel('Why').fill('Their disk is full.');
    await page.keyboard.press('Enter');
    await dialog.getByText('Of whom is needed.').waitFor();
    await heldLevels(world, 0);
    await dialog.getByLabel('Why').fill('');
    await dialog.getByLabel('Of whom').selectOption({ label: 'Acme Robotics' });
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('Why is needed.').waitFor();
    await dialog.getByLabel('Why').fill('Their disk is full.');
    await accessible();
    await picture('now-pause');
    await page.keyboard.press('Enter');
    await shows('Acme Robotics is paused.');
    await shows('Their disk is full.');
    expect(await heldLevels(world, 1)).toMatchObject([{ tenant_id: acme.tenantId, reason: 'Their disk is full.' }]);
    await call('POST', '/admin/runtime/resume', { key: admin, body: { tenant_id: acme.tenantId } });
    await hides('Acme Robotics is paused.');

    // What is stopped is started, and not resumed; a restart lets it run, too.
    const holdHarbour = async (word: string) => {
      await page.getByRole('button', { name: `${word}…` }).click();
      await dialog.getByLabel('Of whom').selectOption({ label: 'Harbour & Sons' });
      await dialog.getByLabel('Why').fill(`${word} them.`);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
    };
    await holdHarbour('Stop');
    await shows('Harbour & Sons is stopped.');
    await shows('Stop them.');
    expect(await heldLevels(world, 1)).toMatchObject([{ tenant_id: harbour.tenantId, state: 'stopped' }]);
    await picture('now-stopped');
    await page
      .getByRole('row', { name: /Harbour/ })
      .getByRole('button', { name: 'Start' })
      .click();
    await page.keyboard.press('Enter');
    await shows('Harbour & Sons runs again.');
    await heldLevels(world, 0);
    await holdHarbour('Stop');
    await heldLevels(world, 1);
    await holdHarbour('Restart');
    await shows('Restarted.');
    await heldLevels(world, 0);
    await shows('Everything runs.');

    // Everybody can be meant, too, and a scope of everybody cannot.
    await page.getByRole('button', { name: 'Pause…' }).click();
    await dialog.getByLabel('Of whom').selectOption({ label: 'Everybody' });
    await dialog.getByLabel('Only this scope').fill('mail');
    await dialog.getByLabel('Why').fill('The disk is full.');
    await page.keyboard.press('Enter');
    await dialog.getByText('Choose whose scope it is.').waitFor();
    await dialog.getByLabel('Only this scope').fill('');
    await page.keyboard.press('Enter');
    await shows('All processing is paused.');
    expect(await heldLevels(world, 1)).toMatchObject([{ level: 'runtime', reason: 'The disk is full.' }]);
    await call('POST', '/admin/runtime/resume', { key: admin, body: {} });
    await shows('Everything runs.');
    wasQuiet();
  });

  it('documents: shows why they failed, and has one and then all that match tried again', async () => {
    const { page, to, shows, accessible, picture, wasQuiet } = await openPage(browser, link);
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await shows('24 found');
    await shows('Reading it took longer than');
    await accessible();
    await picture('documents');

    // One by its id, whoever it belongs to and whatever became of it.
    await page.getByLabel('Document id').fill('waybill-2');
    await page.getByRole('link', { name: /processed.*Waybill 2.*Nordwind Logistics › waybills/s }).waitFor();
    await shows('1 found');
    expect(page.url()).toContain('document=waybill-2');
    await page.getByLabel('Document id').fill('waybill');
    await shows('There is no document of that id');
    await picture('documents-none');
    await page.getByLabel('Document id').fill('');
    await shows('24 found');

    // They failed 7 minutes apart.
    await page.getByLabel('Older than').selectOption({ label: 'an hour' });
    await shows('15 found');
    expect(page.url()).toMatch(/before=\d{4}-\d\d-\d\dT/);
    await page.getByRole('button', { name: 'Retry all that match…' }).click();
    await shows('Try 15 documents again?');
    await shows(/All that have failed of all tenants before /);
    await page.keyboard.press('Escape');
    await page.getByLabel('Older than').selectOption({ label: 'any age' });
    await shows('24 found');

    await page.getByRole('link', { name: /Invoice 5 / }).click();
    const panel = page.getByRole('complementary', { name: 'The document' });
    await panel.getByRole('heading', { name: 'Why it failed' }).waitFor();
    await panel.getByText('Harbour & Sons › invoices').waitFor();
    await accessible();
    await picture('document');
    // Whoever opens it is led into it, and back.
    const focused = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText');
    await expect.poll(focused).toBe('The document');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toContain('Invoice 5');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await shows('Invoice 5 is queued again.');
    await panel.getByText(/^.processed$/).waitFor();
    await shows('23 found');

    // The address alone brings somebody else to the same place.
    const address = new URL(page.url()).hash;
    await to('#/now');
    await to(address);
    await panel.getByRole('heading', { name: 'Invoice 5' }).waitFor();

    await panel.getByRole('link', { name: 'Close' }).click();
    await page.getByRole('button', { name: /It is not valid UTF-8/ }).click();
    await expect.poll(() => page.url()).toContain('error=');
    const matched = await count(`state=failed&error=${encodeURIComponent('It is not valid UTF-8.')}`);
    await shows(`${matched} found`);
    await page.getByRole('button', { name: 'Retry all that match…' }).click();
    await shows(`Try ${matched} documents again?`);
    await accessible();
    await picture('documents-retry');
    await page.keyboard.press('Enter');
    await shows(`${matched} documents queued again.`);
    await shows('No document fits');
    await until(
      () => world.summary(harbour, 'invoices'),
      ({ documents }) => documents.processed === 2 + matched,
    );
    expect(await count('state=failed')).toBe(23 - matched);
    wasQuiet();
  });

  const count = async (query: string) =>
    (await call('GET', `/admin/documents?limit=200&${query}`, { key: admin })).body.documents.length as number;

  it('scopes: shows those first that need somebody, and what documents say of one thing', async () => {
    const { page, shows, accessible, picture, wasQuiet } = await openPage(browser, link);
    await page.getByRole('link', { name: 'Scopes', exact: true }).click();
    await page.getByRole('link', { name: /contracts-2026/ }).waitFor();
    // What documents disagree on comes before what they agree on.
    const rows = await page.locator('.rows li').allInnerTexts();
    const [disputed, agreed] = ['contracts-2026', 'waybills'].map((id) => rows.findIndex((text) => text.includes(id)));
    expect(agreed).toBeGreaterThan(disputed as number);
    await accessible();
    await picture('scopes');
    await page.getByRole('link', { name: /contracts-2026/ }).click();
    await page.getByRole('heading', { name: 'What stands in the way' }).waitFor();
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByRole('button', { name: 'disputed' }).click();
    await facts.getByText('2,310').first().waitFor();
    await accessible();
    await picture('scope');
    await facts.getByRole('link', { name: /2,310/ }).click();
    const evidence = page.getByRole('complementary', { name: 'The evidence' });
    await evidence.getByText('Acme Robotics has 2,310 employees.').waitFor();
    await evidence.getByRole('link', { name: 'press-release' }).waitFor();
    expect(page.url()).toMatch(/state=disputed&fact=fact_/);
    await accessible();
    await picture('evidence');
    await shows('Decide the contradiction');
    wasQuiet();
  });

  it('live: shows an event as it comes, waits while somebody reads, and finds', async () => {
    const { page, shows, hides, accessible, picture, wasQuiet } = await openPage(browser, link);
    await page.getByRole('link', { name: 'Live' }).click();
    await shows('Nothing has happened since this page was opened');
    await page.locator('.pulse.open').waitFor();
    await picture('live-empty');
    await world.ingest(acme, 'contracts-2026', 'Acme Robotics has 12 offices.', {
      document_id: 'offices',
      name: 'Offices',
    });
    const log = page.getByRole('log');
    await log.getByText('document.processed').waitFor();
    await log.getByText('offices').first().waitFor();
    await accessible();
    await picture('live');

    await page.getByRole('button', { name: 'Pause' }).click();
    await world.ingest(nordwind, 'mail', 'Another.', { document_id: 'while-reading' });
    await shows(/Paused; [1-9]\d* new events?/);
    expect(await log.getByText('while-reading').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await log.getByText('while-reading').first().waitFor();

    await page.getByLabel('Search').fill('offices');
    await expect.poll(() => log.getByText('while-reading').count()).toBe(0);
    await log.getByText('offices').first().waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByRole('button', { name: 'contradictions' }).click();
    await hides('document.processed');
    expect(page.url()).toContain('family=contradiction');
    wasQuiet();
  });

  it('a thousand rows are a few on the page: keys reach the next, and scrolling reaches the last', async () => {
    const tenant = await world.newTenant('Many');
    await world.ingest(tenant, 'many', 'ok');
    await world.processed(tenant, 'many', 1);
    await addFailed(world.db, { tenantId: tenant.tenantId, scopeId: 'many' }, 1000, {
      error: `'It failed for reason ' || n || '.'`,
    });
    const { page, to, shows, wasQuiet } = await openPage(browser, link);
    await to(`#/documents?tenant=${tenant.tenantId}`);
    await shows('The first 100; more come as you scroll');
    await page.locator('.rows li a').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.closest("li").dataset.at')).toBe('1');
    await until(
      async () => {
        await page.evaluate('document.getElementById("main").scrollTo(0, 1e9)');
        return page.locator('.rows li').last().getAttribute('aria-posinset');
      },
      (at) => at === '1000',
    );
    expect(await page.locator('.rows li').count()).toBeLessThan(60);
    await shows('1,000 found');
    wasQuiet();
  });
});
