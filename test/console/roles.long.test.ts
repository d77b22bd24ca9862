/** The console over nodes that only take requests, while the workers are on another, as in docker-compose.yml: what is at work is told. */
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser.ts';
import { newHeld, OBEDIENT, withVerbs } from '../support/kernel.ts';
import { startTestService } from '../support/service.ts';
import { launch, openConsole, openPage } from './opened.ts';

inBrowser('the console', async () => {
  const api = withVerbs(await startTestService({ settings: { ROLE: 'api' } }));
  const browser = await launch();
  const link = await openConsole(api, api.internals);

  it('tells that no node has workers, and of the workers of a node that does not answer itself', async () => {
    const { page, shows, hides, accessible, picture, wasQuiet } = await openPage(browser, link);
    await shows('No node has workers.');
    expect(await page.getByText('Everything runs.').count()).toBe(0);
    await picture('no-workers');

    await startTestService({
      pipeline: OBEDIENT,
      settings: { ROLE: 'worker', WORKERS: '3', DOCUMENT_TIMEOUT_MS: '60000', DATABASE_URL: api.databaseUrl },
    });
    await shows('Everything runs.');
    const busy = page.locator('.tiles > div').filter({ hasText: 'Workers busy' });
    await busy.getByText('of 3 on 1 node').waitFor();
    await shows('All workers are idle: nothing waits for them.');

    const held = newHeld();
    await api.ingest(await api.newTenant('Slow'), 'slow', held.text);
    await shows('1 worker is busy on other nodes.');
    expect(await busy.locator('dd').innerText()).toMatch(/^1\s*of 3 on 1 node$/);
    // What no node behind the address has timed is said so, and not left blank.
    const chart = page.locator('.chart').filter({ hasText: 'Time to process a batch' });
    await chart.getByText('The node that answers has no workers.').waitFor();
    await accessible();
    await picture('other-node');
    held.letGo();
    await hides('1 worker is busy on other nodes.');
    wasQuiet();
  });
});
